// @modelcontextprotocol/sdk: the zod schemas of its `types` module.
import {
  CallToolResultSchema,
  CreateMessageRequestParamsSchema,
  GetPromptResultSchema,
  PromptMessageSchema,
  SamplingMessageSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { records, say, words } from "./feed.mjs";

const MESSAGES = {
  "mcp.tool-result": CallToolResultSchema,
  "mcp.prompt": PromptMessageSchema,
  "mcp.sampling": SamplingMessageSchema,
};
const DOCUMENTS = { "mcp.prompt": GetPromptResultSchema, "mcp.sampling": CreateMessageRequestParamsSchema };

for await (const record of records()) {
  const schema = ("message" in record ? MESSAGES : DOCUMENTS)[record.dialect];
  const result = schema.safeParse(record.message ?? record.document);
  say("mcp-typescript", record.id, result.success ? undefined : words(result.error));
}

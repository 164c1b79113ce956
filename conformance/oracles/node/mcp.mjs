// @modelcontextprotocol/sdk: the zod schemas of its `types` module.
import { CallToolResultSchema, CreateMessageRequestParamsSchema, GetPromptResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { records, say, words } from "./feed.mjs";

const SCHEMAS = {
  "mcp.tool-result": CallToolResultSchema,
  "mcp.prompt": GetPromptResultSchema,
  "mcp.sampling": CreateMessageRequestParamsSchema,
};

for await (const record of records()) {
  const result = SCHEMAS[record.dialect].safeParse(record.message);
  say("mcp-typescript", record.id, result.success ? undefined : words(result.error));
}

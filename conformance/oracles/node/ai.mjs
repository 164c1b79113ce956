// ai (Vercel AI SDK): the schema of model messages, and the validator of UI messages.
import { records, say, words } from "./feed.mjs";

const [name, module] = process.argv.slice(2);
const { modelMessageSchema, safeValidateUIMessages } = await import(module);

for await (const record of records()) {
  const result =
    record.dialect === "ai-sdk.ui"
      ? await safeValidateUIMessages({ messages: [record.message] })
      : modelMessageSchema.safeParse(record.message);
  say(name, record.id, result.success ? undefined : words(result.error));
}

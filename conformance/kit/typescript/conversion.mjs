// The one function to fill in. Its types are checked by TypeScript (`npm run types`), and Node runs it as it is.
// @ts-check

// For a history that your program cannot convert: `throw new Refused("unpaired", "call c1 has no result")`. The code is one of
// invalid-arguments, unsupported-content, unpaired, limit, other. Any other error is a crash of this case alone.
//
//     import { Refused } from "./wirecanon-testee.mjs";

/** @typedef {{ role: string, content?: unknown, tool_calls?: { id: string }[], tool_call_id?: string }} Message */
/** @typedef {{ messages: Message[] }} Chat */

/**
 * What your program would send if its history were `document`.
 *
 * `document` is in the dialect that adapter.mjs says is read: for openai.chat `{"messages": [...]}`; some cases are a list of
 * messages, or one message alone. `ask.from` and `ask.to` are the dialects, and `ask.target` is the server that it is for;
 * without one, any server that speaks the dialect.
 *
 * The answer is a JSON value in the dialect that adapter.mjs says is written, or a promise of one.
 *
 * @param {Chat} document
 * @param {import("./wirecanon-testee.mjs").Ask} ask
 * @returns {Chat | Promise<Chat>}
 */
export function convert(document, ask) {
  // Here goes your program, with its own objects and its own functions, up to what it would send:
  //
  //     import { Message, buildRequest } from "my-program"; // at the top
  //
  //     const history = document.messages.map((message) => Message.parse(message));
  //     return { messages: buildRequest(history).messages };
  //
  // Mend nothing here. What your program makes of a broken history is what is judged.
  void ask;
  return document;
}

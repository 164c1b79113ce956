// What a package would send: `fetch` is a stub that keeps the body and answers 400, so nothing leaves the process.
//
//     import { sent } from "./wirecanon-capture.mjs"; // before the packages: some take `fetch` once, when they load
//
//     const body = await sent(() => generateText({ model, messages, maxRetries: 0 }));
//
// The error that the 400 ends in is thrown away. If the package ends in an error before it sends anything, that is thrown.
// A package that fetches pictures and files by their address gets a PNG, or a PDF where the address ends so.

import { AsyncLocalStorage } from "node:async_hooks";

const asked = new AsyncLocalStorage();

globalThis.fetch = async (input, init) => {
  const request = input instanceof Request ? input : undefined;
  if ((init?.method ?? request?.method ?? "GET") === "GET") return asset(String(request?.url ?? input));
  const body = init?.body ?? (request && (await request.clone().text()));
  asked.getStore()?.bodies.push(await text(body));
  const error = { error: { type: "invalid_request_error", message: "wirecanon: kept, not sent" } };
  return new Response(JSON.stringify(error), { status: 400, headers: { "content-type": "application/json" } });
};

/** The JSON body of the first request that `run` makes. */
export async function sent(run) {
  const box = { bodies: [] };
  let thrown;
  try {
    await asked.run(box, run);
  } catch (error) {
    thrown = error;
  }
  if (box.bodies.length === 0) throw thrown ?? new Error("the package sent no request, and said nothing");
  return JSON.parse(box.bodies[0]);
}

/** A JSON value of what an SDK is given where it does not send JSON itself: bytes as base64, no `undefined`. */
export function plain(value) {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (Array.isArray(value)) return value.map((one) => (one === undefined ? null : plain(one)));
  if (value === null || typeof value !== "object" || typeof value.toJSON === "function") return value;
  const members = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(members.map(([key, one]) => [key, plain(one)]));
}

/** The members of a body that are asked for: limits and definitions of tools are not of the conversation. */
export function only(body, ...keys) {
  return Object.fromEntries(keys.filter((key) => body[key] !== undefined).map((key) => [key, body[key]]));
}

/** The messages of a document: its list, a bare list, or one message alone. */
export function messagesOf(document) {
  if (Array.isArray(document)) return document;
  return Array.isArray(document?.messages) ? document.messages : [document];
}

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function asset(url) {
  const pdf = url.endsWith(".pdf");
  const type = pdf ? "application/pdf" : "image/png";
  return new Response(pdf ? "%PDF-1.4\n" : Buffer.from(png, "base64"), { headers: { "content-type": type } });
}

async function text(body) {
  if (typeof body === "string") return body;
  return new Response(body).text();
}

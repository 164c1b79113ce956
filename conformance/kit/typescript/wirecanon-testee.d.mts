/** One question of the line protocol. */
export interface Ask {
  id: number;
  op: "convert";
  /** Dialect of the input */
  from: string;
  /** Dialect of the answer */
  to: string;
  /** The server that it is for; without one, any that speaks the dialect */
  target?: string;
  for: "request" | "history";
  /** The call that a lone tool result answers */
  call_id?: string;
  input?: unknown;
  input_text?: string;
  input_base64?: string;
}

export type RefusalCode = "invalid-arguments" | "unsupported-content" | "unpaired" | "limit" | "other";

/** It cannot be done, and nothing was emitted. */
export class Refused extends Error {
  constructor(code: RefusalCode, message: string);
  readonly code: RefusalCode;
}

export interface Options {
  /** Version of the program under test */
  version?: string;
  /** What the functions get: the JSON value, the exact text, or its bytes; `["json"]` if left out */
  accepts?: ("json" | "text" | "base64")[];
  /** Names of errors, each with the refusal that it stands for */
  refusals?: Record<string, RefusalCode>;
  /** One question at a time */
  serial?: boolean;
}

/** One program under test. */
export class Testee {
  constructor(name: string, options?: Options);
  /** Registers a function for a pair of dialects; `targets` are the servers that it knows, if not all. */
  converts<Document>(
    from: string,
    to: string,
    convert: (document: Document, ask: Ask) => unknown,
    targets?: string[],
  ): this;
  /** Answers until `bye`, or until stdin ends. */
  run(): Promise<void>;
}

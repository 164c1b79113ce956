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
  input: unknown;
}

export type RefusalCode = "invalid-arguments" | "unsupported-content" | "unpaired" | "limit" | "other";

/** It cannot be done, and nothing was emitted. */
export class Refused extends Error {
  constructor(code: RefusalCode, message: string);
  readonly code: RefusalCode;
}

/** A function and the dialects that it reads and writes. */
export interface Conversion {
  from: string;
  to: string;
  /** The only servers that it is meant for; left out, every one that speaks the dialect */
  targets?: string[];
  /** Gets the input's JSON value, and gives a JSON value or a promise of one */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- every dialect is another type
  convert: (document: any, ask: Ask) => unknown;
}

export interface Options extends Partial<Conversion> {
  /** What reports and `expectations/NAME.toml` are called by; the name in package.json if left out */
  name?: string;
  version?: string;
  /** Several pairs of dialects, beside that of `from` and `to` */
  conversions?: Conversion[];
  /** The file of expectations, if not `expectations/NAME.toml` */
  expectations?: string;
  /** Names of errors, each with the refusal that it stands for */
  refusals?: Record<string, RefusalCode>;
  /** Seconds that one answer may take; 10 if left out */
  timeout?: number;
  /** The frozen suite that scores; the newest if left out */
  suite?: string;
}

/** Makes a test of each case that can be asked of these functions, and one for the gate. */
export function describeCorpus(options: Options): void;

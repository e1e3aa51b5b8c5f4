import { type RefusalCode, refusals } from "./refusals.js";

/** One mistake in a body (`path`: the key). */
export interface BodyIssue {
  readonly path: string;
  readonly message: string;
}
/** One mistake in the query string (`param`: as sent). */
export interface ParameterIssue {
  readonly param: string;
  readonly message: string;
}

export interface RefusalDetails {
  /** Replaces the table's status, for codes that mean the same in two places. */
  readonly status?: 401 | 409 | 422;
  /** Replaces the table's sentence. */
  readonly error?: string;
  readonly issues?: readonly BodyIssue[] | readonly ParameterIssue[];
  /** The field of a 409. */
  readonly field?: string;
  /** Seconds, for `Retry-After`. */
  readonly retryAfter?: number;
  /** Further response headers, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the client did wrong or must wait for; becomes a response in one place only (`http/`). */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly details: RefusalDetails;

  constructor(code: RefusalCode, details: RefusalDetails = {}) {
    super(details.error ?? refusals[code].sentence);
    this.name = "Refusal";
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return this.details.status ?? refusals[this.code].status;
  }
}

/** Throws the refusal of that code. */
export function refuse(code: RefusalCode, details?: RefusalDetails): never {
  throw new Refusal(code, details);
}

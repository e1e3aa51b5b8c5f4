import { boundIssues, type Issue } from "./issues.js";
import { type RefusalCode, refusals } from "./refusals.js";

export interface RefusalDetails {
  /** Replaces the table's status, for codes that two kinds of routes use. */
  readonly status?: 401 | 409 | 422;
  /** Replaces the table's sentence. */
  readonly error?: string;
  /** Any number; an answer lists the first hundred. */
  readonly issues?: readonly Issue[];
  /** The number of mistakes that are not in `issues`; 0 by default. */
  readonly unlisted?: number;
  /** The field of a 409. */
  readonly field?: string;
  /** Seconds, for `Retry-After`. */
  readonly retryAfter?: number;
  /** Further response headers, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refused request: the client made a mistake or must wait. Only `http/` turns it into a response. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly details: RefusalDetails;

  constructor(code: RefusalCode, details: RefusalDetails = {}) {
    super(details.error ?? refusals[code].sentence);
    this.name = "Refusal";
    this.code = code;
    const { issues, unlisted = 0 } = details;
    this.details = issues ? { ...details, issues: boundIssues(issues, unlisted) } : details;
  }

  get status(): number {
    return this.details.status ?? refusals[this.code].status;
  }
}

/** Throws a refusal with that code. */
export function refuse(code: RefusalCode, details?: RefusalDetails): never {
  throw new Refusal(code, details);
}

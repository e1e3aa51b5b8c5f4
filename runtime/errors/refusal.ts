import { boundIssues, type Issue } from "./issues.js";
import { type RefusalCode, refusals } from "./refusals.js";

export interface RefusalDetails {
  /** Replaces the table's status, for codes that mean the same in two places. */
  readonly status?: 401 | 409 | 422;
  /** Replaces the table's sentence. */
  readonly error?: string;
  /** However many: an answer has the first hundred of them. */
  readonly issues?: readonly Issue[];
  /** How many further mistakes there are than `issues` has; 0 unless given. */
  readonly unlisted?: number;
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
    const { issues, unlisted = 0 } = details;
    this.details = issues ? { ...details, issues: boundIssues(issues, unlisted) } : details;
  }

  get status(): number {
    return this.details.status ?? refusals[this.code].status;
  }
}

/** Throws the refusal of that code. */
export function refuse(code: RefusalCode, details?: RefusalDetails): never {
  throw new Refusal(code, details);
}

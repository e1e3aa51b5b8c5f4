import {
  type BodyIssue,
  boundIssues,
  type Issue,
  maxIssues,
  type ParameterIssue,
} from "./issues.js";
import { type RefusalCode, refusals } from "./refusals.js";

export interface RefusalDetails {
  /** Replaces the table's status, for codes that two kinds of routes use. */
  readonly status?: number;
  /** Overrides the table's message. */
  readonly error?: string;
  /** Any number; the response lists the first hundred. */
  readonly issues?: readonly Issue[];
  /** The number of mistakes that are not in `issues`; 0 by default. */
  readonly unlisted?: number;
  /** The index of the refused operation in a batch. */
  readonly index?: number;
  /** The field of a 409. */
  readonly field?: string;
  /** The record that cannot be restored, or with which it was deleted. */
  readonly record?: { readonly resource: string; readonly id: string };
  /** The value of `Retry-After`, in seconds. */
  readonly retryAfter?: number;
  /** The rule or policy that refused the request, for the log in development; never sent. */
  readonly reason?: string;
  /** Further response headers, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A refused request: the client made a mistake or must wait. `resources` throws it; thrown in an
 * app route, it is the response. Create one with `refusal`.
 */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly details: RefusalDetails;

  constructor(code: RefusalCode, details: RefusalDetails = {}) {
    super(details.error ?? refusals[code].sentence);
    this.name = "Refusal";
    this.code = code;
    const { issues, unlisted = 0 } = details;
    const more = (issues?.length ?? 0) + unlisted - maxIssues;
    this.details = issues
      ? { ...details, issues: boundIssues(issues, unlisted), unlisted: Math.max(0, more) }
      : details;
  }

  get status(): number {
    return this.details.status ?? refusals[this.code].status;
  }

  /** The issues by field or parameter. */
  get issues(): readonly Issue[] | undefined {
    return this.details.issues;
  }

  /** The field of a 409. */
  get field(): string | undefined {
    return this.details.field;
  }
}

/** Throws a refusal with that code. */
export function refuse(code: RefusalCode, details?: RefusalDetails): never {
  throw new Refusal(code, details);
}

/**
 * A refusal for app code to throw, such as `refusal(409, "Closed orders cannot change")`. With issues by field or query
 * parameter: `refusal(422, [{ path, message }])`, `refusal(400, [{ param, message }])`. The status is one of 400 to
 * 499.
 *
 * @example
 * ```ts
 * import { refusal } from "service-runtime/errors";
 * import { createApp } from "./generated/app.js";
 *
 * const app = await createApp({
 *   hooks: {
 *     tasks: {
 *       beforeDelete: (task) => {
 *         if (task.status === "started") throw refusal(409, "A started task cannot be deleted");
 *       },
 *     },
 *   },
 * });
 * await app.listen();
 * ```
 */
export function refusal(
  status: number,
  reason: string | readonly BodyIssue[] | readonly ParameterIssue[],
): Refusal {
  if (!Number.isInteger(status) || status < 400 || status > 499) {
    throw new TypeError(`A refusal has a status from 400 to 499, not ${status}`);
  }
  if (typeof reason === "string") return new Refusal("REFUSED", { status, error: reason });
  const code = status === refusals.INVALID.status ? "INVALID" : "REFUSED";
  return new Refusal(code, { status, issues: reason });
}

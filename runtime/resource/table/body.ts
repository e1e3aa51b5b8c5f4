import type { z } from "zod";
import { type BodyIssue, maxIssues, refuse } from "../../errors/index.js";
import { type Amounts, readAmounts } from "./amounts.js";
import type { Shape } from "./definition.js";
import { roundedDecimals } from "./rounded.js";
import type { Table } from "./table.js";

/** Keys of read records that clients may send back; they are ignored. */
const ignoredKeys = new Set(["id", "createdAt", "updatedAt"]);

/** A body validated against a resource's shape: its valid values, and all mistakes. */
export interface CheckedBody<Values> {
  /** The well-formed fields; all of them if none is malformed. */
  readonly values: Partial<Values>;
  /** An issue for each field that is malformed or missing, or for each malformed part of its value. */
  readonly malformed: readonly BodyIssue[];
  /** Keys that are not fields; a body can have a hundred thousand of them. */
  readonly unknown: readonly string[];
  /** Amounts to add to stored numbers, whose sums are not known yet; omitted if there are none. */
  readonly additions?: Additions;
  /** The amounts already included in the values; omitted if there are none. */
  readonly amounts?: Amounts;
  /**
   * The stored lists of links to which the amounts were added, in tables of other applications; omitted if there are
   * none.
   */
  readonly listed?: Readonly<Record<string, readonly string[]>>;
  /** Validates values from app code by the same rules; decimals are rounded. */
  again(body: Body): CheckedBody<Values>;
}

export interface Additions {
  readonly amounts: Amounts;
  /** Validates the sums like values of a body. */
  check(sums: Body): Wrong & { readonly values: object };
}

/** Adds these mistakes to the body, before its own. */
export function withIssues<Values>(
  checked: CheckedBody<Values>,
  issues: readonly BodyIssue[],
): CheckedBody<Values> {
  return issues.length === 0
    ? checked
    : { ...checked, malformed: [...issues, ...checked.malformed] };
}

/** Validates every field of the shape; a missing one counts as undefined. For POST and PUT. */
export function checkWhole<Values>(shape: Shape<Values>, body: Body): CheckedBody<Values> {
  const again = (values: Body) => checkWhole(shape, roundedDecimals(shape, values));
  return { ...check(shape, body, Object.keys(shape)), again };
}

/** Validates only the fields that were sent. */
export function checkSent<Values>(shape: Shape<Values>, body: Body): CheckedBody<Partial<Values>> {
  const sent = Object.keys(shape).filter((key) => Object.hasOwn(body, key));
  const again = (values: Body) => checkSent(shape, roundedDecimals(shape, values));
  return { ...check(shape, body, sent), again };
}

/** Like `checkSent`, but accepts amounts to add to numbers and lists of the table. For PATCH. */
export function checkChanges<Values>(
  table: Pick<Table<never>, "columns">,
  shape: Shape<Values>,
  body: Body,
): CheckedBody<Partial<Values>> {
  const read = readAmounts(table, shape, body);
  if (read === null) return checkSent(shape, body);
  const { amounts } = read;
  const values = Object.entries(body).filter(([key]) => !read.keys.has(key));
  const checked = checkSent(shape, Object.fromEntries(values));
  return {
    ...checked,
    malformed: [...checked.malformed, ...read.malformed],
    additions: { amounts, check: (sums) => checkSent(shape, sums) },
  };
}

type Body = Readonly<Record<string, unknown>>;

function check<Values>(
  shape: Shape<Values>,
  body: Body,
  keys: readonly string[],
): Omit<CheckedBody<Values>, "again"> {
  const values: Partial<Record<string, unknown>> = {};
  const malformed: BodyIssue[] = [];
  for (const key of keys) {
    const result = shape[key as keyof Values].safeParse(
      Object.hasOwn(body, key) ? body[key] : undefined,
    );
    // The column's default replaces an undefined value.
    if (result.success) {
      if (result.data !== undefined) values[key] = result.data;
    } else malformed.push(...issuesAt(key, result.error.issues));
  }
  const unknown = Object.keys(body).filter(
    (key) => !Object.hasOwn(shape, key) && !ignoredKeys.has(key),
  );
  return { values: values as Partial<Values>, malformed, unknown };
}

/** Returns the first issue at each position inside the value. */
function issuesAt(key: string, issues: readonly z.core.$ZodIssue[]): readonly BodyIssue[] {
  const found = new Map<string, string>();
  for (const { path, message } of issues) {
    const place = [key, ...path].join(".");
    if (!found.has(place)) found.set(place, message);
  }
  return [...found].map(([path, message]) => ({ path, message }));
}

type Wrong = Pick<CheckedBody<unknown>, "malformed" | "unknown">;

/** Whether the body itself has no mistakes. */
export function isValid({ malformed, unknown }: Wrong): boolean {
  return malformed.length === 0 && unknown.length === 0;
}

/** Throws a 422 with all mistakes in the body, and with these conflicts with other records. */
export function refuseBody(checked: Wrong, conflicts: readonly BodyIssue[]): never {
  return refuse("INVALID", {
    issues: [...formIssues(checked), ...conflicts],
    unlisted: Math.max(0, checked.unknown.length - maxIssues),
  });
}

/** The mistakes in a body itself; unknown keys are limited to the number that a response lists. */
export function formIssues({ malformed, unknown }: Wrong): BodyIssue[] {
  const named = unknown.slice(0, maxIssues);
  return [...named.map((path) => ({ path, message: "Unknown field" })), ...malformed];
}

import type { z } from "zod";
import { type BodyIssue, maxIssues, refuse } from "../../errors/index.js";
import { type Amounts, readAmounts } from "./amounts.js";
import type { Shape } from "./definition.js";
import { roundedDecimals } from "./rounded.js";
import type { Table } from "./table.js";

/** Keys that clients send back with what they read; never stored. */
const ignoredKeys = new Set(["id", "createdAt", "updatedAt"]);

/** A body checked against a resource's shape: its valid values, and all mistakes. */
export interface CheckedBody<Values> {
  /** The well-formed fields; all of them if none is malformed. */
  readonly values: Partial<Values>;
  /** An issue for each field that is malformed or missing, or for each malformed part of its value. */
  readonly malformed: readonly BodyIssue[];
  /** Keys that are not fields; a body can have a hundred thousand. */
  readonly unknown: readonly string[];
  /** Amounts to add to stored numbers, whose sums are not known yet; left out if there are none. */
  readonly additions?: Additions;
  /** The amounts that the values include; left out if there are none. */
  readonly amounts?: Amounts;
  /** The stored lists of links to which the amounts were added, in tables of other programs; left out if there are none. */
  readonly listed?: Readonly<Record<string, readonly string[]>>;
  /** Checks values from app code by the same rules; decimals are rounded. */
  again(body: Body): CheckedBody<Values>;
}

export interface Additions {
  readonly amounts: Amounts;
  /** Checks the sums like values of a body. */
  check(sums: Body): Wrong & { readonly values: object };
}

/** The body with these mistakes, before its own. */
export function withIssues<Values>(
  checked: CheckedBody<Values>,
  issues: readonly BodyIssue[],
): CheckedBody<Values> {
  return issues.length === 0
    ? checked
    : { ...checked, malformed: [...issues, ...checked.malformed] };
}

/** Checks every field of the shape; a missing one counts as undefined. For POST and PUT. */
export function checkWhole<Values>(shape: Shape<Values>, body: Body): CheckedBody<Values> {
  const again = (values: Body) => checkWhole(shape, roundedDecimals(shape, values));
  return { ...check(shape, body, Object.keys(shape)), again };
}

/** Checks only the fields that were sent. */
export function checkSent<Values>(shape: Shape<Values>, body: Body): CheckedBody<Partial<Values>> {
  const sent = Object.keys(shape).filter((key) => Object.hasOwn(body, key));
  const again = (values: Body) => checkSent(shape, roundedDecimals(shape, values));
  return { ...check(shape, body, sent), again };
}

/** Like `checkSent`, with amounts to be added to numbers and lists of the table. For PATCH. */
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
    // Undefined is a value that the column's default replaces.
    if (result.success) {
      if (result.data !== undefined) values[key] = result.data;
    } else malformed.push(...issuesAt(key, result.error.issues));
  }
  const unknown = Object.keys(body).filter(
    (key) => !Object.hasOwn(shape, key) && !ignoredKeys.has(key),
  );
  return { values: values as Partial<Values>, malformed, unknown };
}

/** The first issue of each place inside the value. */
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

/** 422 with all mistakes in the body, and with these conflicts with other records. */
export function refuseBody(checked: Wrong, conflicts: readonly BodyIssue[]): never {
  return refuse("INVALID", {
    issues: [...formIssues(checked), ...conflicts],
    unlisted: Math.max(0, checked.unknown.length - maxIssues),
  });
}

/** The mistakes in a body itself; unknown keys are cut to the number that a response lists. */
export function formIssues({ malformed, unknown }: Wrong): BodyIssue[] {
  const named = unknown.slice(0, maxIssues);
  return [...named.map((path) => ({ path, message: "Unknown field" })), ...malformed];
}

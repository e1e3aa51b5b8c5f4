import { type BodyIssue, maxIssues, refuse } from "../errors/index.js";
import type { Shape } from "./fields.js";

/** Sent back by clients that change what they read; never stored. */
const ignoredKeys = new Set(["id", "createdAt", "updatedAt"]);

/** A body checked against a resource's shape: its valid values, and everything that is wrong. */
export interface CheckedBody<Values> {
  /** The well-formed fields; all of them when none is malformed. */
  readonly values: Partial<Values>;
  /** One issue for each field that is malformed or missing. */
  readonly malformed: readonly BodyIssue[];
  /** Keys that are not fields: a body can have a hundred thousand. */
  readonly unknown: readonly string[];
}

/** Checks every field of the shape; a missing one counts as undefined. For POST and PUT. */
export function checkWhole<Values>(
  shape: Shape<Values>,
  body: Readonly<Record<string, unknown>>,
): CheckedBody<Values> {
  return check(shape, body, Object.keys(shape));
}

/** Checks only the fields that were sent. For PATCH. */
export function checkSent<Values>(
  shape: Shape<Values>,
  body: Readonly<Record<string, unknown>>,
): CheckedBody<Partial<Values>> {
  return check(
    shape,
    body,
    Object.keys(shape).filter((key) => Object.hasOwn(body, key)),
  );
}

function check<Values>(
  shape: Shape<Values>,
  body: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): CheckedBody<Values> {
  const values: Partial<Record<string, unknown>> = {};
  const malformed: BodyIssue[] = [];
  for (const key of keys) {
    const result = shape[key as keyof Values].safeParse(
      Object.hasOwn(body, key) ? body[key] : undefined,
    );
    if (result.success) values[key] = result.data;
    else malformed.push({ path: key, message: result.error.issues[0]?.message ?? "Not valid" });
  }
  const unknown = Object.keys(body).filter(
    (key) => !Object.hasOwn(shape, key) && !ignoredKeys.has(key),
  );
  return { values: values as Partial<Values>, malformed, unknown };
}

/** True when nothing is wrong with the body itself. */
export function isValid({ malformed, unknown }: CheckedBody<unknown>): boolean {
  return malformed.length === 0 && unknown.length === 0;
}

/** 422 with everything that is wrong with the body, and with these conflicts with other records. */
export function refuseBody(
  { malformed, unknown }: CheckedBody<unknown>,
  conflicts: readonly BodyIssue[],
): never {
  const named = unknown.slice(0, maxIssues);
  return refuse("INVALID", {
    issues: [
      ...named.map((path) => ({ path, message: "Unknown field" })),
      ...malformed,
      ...conflicts,
    ],
    unlisted: unknown.length - named.length,
  });
}

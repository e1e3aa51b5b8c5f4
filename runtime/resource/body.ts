import type { BodyIssue } from "../errors/index.js";
import type { Shape } from "./fields.js";

/** Sent back by clients that change what they read; never stored. */
const ignoredKeys = new Set(["id", "createdAt", "updatedAt"]);

/** A body held against a resource's shape: what is sound of it, and everything that is wrong. */
export interface CheckedBody<Values> {
  /** The well-formed fields; all of them when there is no issue. */
  readonly values: Partial<Values>;
  readonly issues: readonly BodyIssue[];
}

/** Checks every field of the shape; one left out counts as undefined. For POST and PUT. */
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
): CheckedBody<Values> {
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
  const issues: BodyIssue[] = [];
  for (const key of Object.keys(body)) {
    if (!Object.hasOwn(shape, key) && !ignoredKeys.has(key)) {
      issues.push({ path: key, message: "Unknown field" });
    }
  }
  for (const key of keys) {
    const result = shape[key as keyof Values].safeParse(
      Object.hasOwn(body, key) ? body[key] : undefined,
    );
    if (result.success) values[key] = result.data;
    else issues.push({ path: key, message: result.error.issues[0]?.message ?? "Not valid" });
  }
  return { values: values as Partial<Values>, issues };
}

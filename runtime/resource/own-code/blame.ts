import { Refusal } from "../../errors/index.js";
import type { Actor } from "../../own-code/index.js";
import type { CheckedBody } from "../table/body.js";

/**
 * Refusals of writes and queries by a hook or policy, with the problem. No client sent those values, so such a refusal
 * must not become the response. Until it leaves the hook, the hook may catch it.
 */
const blamed = new WeakMap<object, string>();

/** Blames app code for a refusal that occurs within a hook or policy; returns the error. */
export function blameAppCode({ chain = [] }: Actor, error: unknown, problem: string): unknown {
  if (chain.length > 0 && error instanceof Refusal) blamed.set(error, problem);
  return error;
}

/** The mistake of app code; null if the error has another cause. */
export function blameOf(error: unknown): string | null {
  return error instanceof Refusal ? (blamed.get(error) ?? null) : null;
}

/** The issues of the values themselves, without conflicts with other records, for the log. */
export function wrongValues({
  unknown,
  malformed,
}: Pick<CheckedBody<object>, "unknown" | "malformed">): string {
  return [
    ...unknown.map((key) => `"${key}" is not a field`),
    ...malformed.map(({ path, message }) => `"${path}": ${message}`),
  ].join("; ");
}

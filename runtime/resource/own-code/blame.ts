import { Refusal } from "../../errors/index.js";
import type { Actor } from "../../own-code/index.js";
import type { CheckedBody } from "../table/body.js";

/**
 * Refusals of what a hook or policy itself wrote or asked, and what was wrong. No client sent those values, so such a
 * refusal must not become the answer; until it leaves the hook it is a refusal that the hook may catch.
 */
const blamed = new WeakMap<object, string>();

/** Remembers that own code is to blame for the refusal, where it is made within a hook or policy; returns the error. */
export function blameOwnCode({ chain = [] }: Actor, error: unknown, problem: string): unknown {
  if (chain.length > 0 && error instanceof Refusal) blamed.set(error, problem);
  return error;
}

/** What own code did wrong; null where the error is something else. */
export function blameOf(error: unknown): string | null {
  return error instanceof Refusal ? (blamed.get(error) ?? null) : null;
}

/** What is wrong with values in themselves, for the log. */
export function wrongValues({
  unknown,
  malformed,
}: Pick<CheckedBody<object>, "unknown" | "malformed">): string {
  return [
    ...unknown.map((key) => `"${key}" is not a field`),
    ...malformed.map(({ path, message }) => `"${path}": ${message}`),
  ].join("; ");
}

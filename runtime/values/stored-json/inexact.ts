import { jsonFaults } from "./faults.js";
import { type JsonIssue, jsonWords } from "./rules.js";

/** By parsed object or array, the key of its first number that lost precision as a double. */
const changed = new WeakMap<object, string | number>();

/**
 * Matches every text that may have such a number: one with an exponent, or with more digits than a double always
 * stores.
 */
const mayHave = /\d[\d.]{15}|\d[eE][+-]?\d/;

/** Records which numbers of a JSON text lost precision when parsed; `inexactIn` finds them in any part of the value. */
export function noteInexact(value: unknown, text: string): void {
  if (!mayHave.test(text)) return;
  for (const { path, message } of jsonFaults(text)) {
    const key = path.at(-1);
    if (message !== jsonWords.number || key === undefined) continue;
    const inner = path.slice(0, -1).reduce(memberOf, value);
    if (typeof inner !== "object" || inner === null) continue;
    if (!changed.has(inner)) changed.set(inner, key);
  }
}

function memberOf(value: unknown, key: string | number): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

/** The path to the first number in a parsed value that lost precision; null if there is none. */
export function inexactIn(value: unknown): JsonIssue["path"] | null {
  if (typeof value !== "object" || value === null) return null;
  const own = changed.get(value);
  if (own !== undefined) return [own];
  for (const [key, member] of Object.entries(value)) {
    const inside = inexactIn(member);
    if (inside !== null) return [key, ...inside];
  }
  return null;
}

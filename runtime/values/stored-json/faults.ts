import { isKept } from "./number.js";
import { type JsonIssue, jsonWords } from "./rules.js";

/** A mistake in a JSON text that its parsed value does not show, with its position. */
export interface JsonFault extends JsonIssue {
  /** Number of characters before the mistake. */
  readonly offset: number;
}

/** Maximum number of mistakes reported for a text. */
const maxFaults = 1000;

interface Container {
  /** The keys so far; null in a list. */
  readonly keys: Set<string> | null;
  /** The key or index of the current member. */
  at: string | number;
}

/**
 * Finds numbers that a double cannot represent, and repeated keys of an object, in a text that `JSON.parse` accepts.
 * Parsing silently uses the nearest double and the last value.
 */
export function jsonFaults(text: string): readonly JsonFault[] {
  const faults: JsonFault[] = [];
  const open: Container[] = [];
  const pathOf = () => open.map(({ at }) => at);
  let isKey = false;
  for (const { 0: token, index: offset } of text.matchAll(jsonTokens)) {
    if (faults.length === maxFaults) break;
    const inner = open.at(-1);
    const [first] = token;
    if (first === "{" || first === "[") {
      isKey = first === "{";
      open.push(isKey ? { keys: new Set(), at: "" } : { keys: null, at: 0 });
    } else if (first === "}" || first === "]") {
      open.pop();
      isKey = false;
    } else if (first === ",") {
      if (typeof inner?.at === "number") inner.at += 1;
      else isKey = true;
    } else if (first === '"') {
      if (!isKey || inner === undefined) continue;
      isKey = false;
      const key: string = JSON.parse(token);
      inner.at = key;
      if (inner.keys?.has(key)) {
        faults.push({ path: pathOf(), message: jsonWords.repeated, offset });
      }
      inner.keys?.add(key);
    } else if (!isKept(token)) {
      faults.push({ path: pathOf(), message: jsonWords.number, offset });
    }
  }
  return faults;
}

/** Matches strings, numbers and punctuation; everything else is ignored. */
export const jsonTokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[{}[\],]/g;

import { jsonTokens } from "./faults.js";

/**
 * The text of the object at the path in a JSON text that `JSON.parse` accepts. If a key is repeated, the last one
 * counts. Null if there is no such object.
 */
export function memberText(text: string, path: readonly string[]): string | null {
  const open: { at: string | number }[] = [];
  let isKey = false;
  let start = -1;
  let found: string | null = null;
  for (const { 0: token, index } of text.matchAll(jsonTokens)) {
    const inner = open.at(-1);
    if (token === "{" || token === "[") {
      const isThere =
        open.length === path.length && open.every(({ at }, level) => at === path[level]);
      if (isThere) [start, found] = [token === "{" ? index : -1, null];
      isKey = token === "{";
      open.push({ at: isKey ? "" : 0 });
    } else if (token === "}" || token === "]") {
      open.pop();
      isKey = false;
      if (start >= 0 && open.length === path.length) {
        found = text.slice(start, index + 1);
        start = -1;
      }
    } else if (token === ",") {
      if (typeof inner?.at === "number") inner.at += 1;
      else isKey = true;
    } else if (isKey && inner !== undefined) {
      isKey = false;
      inner.at = JSON.parse(token);
    }
  }
  return found;
}

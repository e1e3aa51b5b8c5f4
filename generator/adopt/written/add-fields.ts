import { isMap, type Pair, parseDocument, type YAMLMap } from "yaml";

/**
 * Returns a descriptor's text with lines added after its fields, and otherwise unchanged. Null if the fields are not in
 * block style.
 */
export function withFieldLines(text: string, lines: readonly string[]): string | null {
  const document = parseDocument(text);
  const fields = document.get("fields");
  if (!isMap(fields) || fields.flow === true) return null;
  const [first, last] = [fields.items[0], fields.items.at(-1)];
  const start = startOf(first);
  const end = endOf(last);
  if (start === null || end === null) return null;
  const indent = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  if (indent.trim() !== "") return null;
  // A multi-line value may include the final line break.
  const lineEnd = text.indexOf("\n", text.slice(0, end).trimEnd().length);
  const [before, after] =
    lineEnd === -1 ? [`${text}\n`, ""] : [text.slice(0, lineEnd + 1), text.slice(lineEnd + 1)];
  return `${before}${lines.map((line) => `${indent}${line}\n`).join("")}${after}`;
}

function startOf(pair: Pair | undefined): number | null {
  return (pair?.key as YAMLMap | undefined)?.range?.[0] ?? null;
}

/** Returns the end of the value, before a trailing comment. */
function endOf(pair: Pair | undefined): number | null {
  const value = pair?.value as YAMLMap | null | undefined;
  return value?.range?.[1] ?? null;
}

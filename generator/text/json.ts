import { brokenGroup, group, indent, join, type Layout, line, print, softline } from "./layout.js";
import type { Literal } from "./typescript.js";

/** A JSON file as formatters write it: one line per member of an object, one line for a short list. */
export function jsonFile(value: Literal): string {
  return `${print(json(value), { indent: 0 })}\n`;
}

function json(value: Literal): Layout {
  // Formatters write the exponent of `1e+300` without its sign.
  if (typeof value === "number") return JSON.stringify(value).replace("e+", "e");
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    return value.length === 0
      ? "[]"
      : group("[", indent(softline, list(value.map(json))), softline, "]");
  }
  const members = Object.entries(value).map(([key, own]) => [
    `${JSON.stringify(key)}: `,
    json(own),
  ]);
  return members.length === 0 ? "{}" : brokenGroup("{", indent(line, list(members)), line, "}");
}

function list(items: readonly Layout[]): Layout {
  return join([",", line], items);
}

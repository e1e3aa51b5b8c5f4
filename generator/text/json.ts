import { columns } from "./columns.js";
import { width } from "./layout.js";
import type { Literal } from "./typescript.js";

/** Returns a JSON file as formatters print it: one line per member of an object, one line for a short list. */
export function jsonFile(value: Literal): string {
  return `${json(value, "\n", 0)}\n`;
}

/** `lineEnd` is a line break with the indentation, `around` the number of other columns on the line. */
function json(value: Literal, lineEnd: string, around: number): string {
  if (typeof value !== "object" || value === null) return scalar(value);
  const inner = `${lineEnd}  `;
  const depth = inner.length - 1;
  const commaAfter = (at: number, all: readonly unknown[]) => (at < all.length - 1 ? 1 : 0);
  if (Array.isArray(value)) {
    const line = oneLine(value);
    if (line !== null && around + columns(line) <= width) return line;
    const items = value.map((item: Literal, at, all) =>
      json(item, inner, depth + commaAfter(at, all)),
    );
    return `[${inner}${items.join(`,${inner}`)}${lineEnd}]`;
  }
  const members = Object.entries(value).map(([key, item]: [string, Literal], at, all) => {
    const name = `${JSON.stringify(key)}: `;
    const isList = Array.isArray(item);
    return name + json(item, inner, isList ? depth + columns(name) + commaAfter(at, all) : 0);
  });
  return members.length === 0 ? "{}" : `{${inner}${members.join(`,${inner}`)}${lineEnd}}`;
}

/** Returns a list on one line; null if it contains a non-empty object, which is always broken. */
function oneLine(value: Literal): string | null {
  if (typeof value !== "object" || value === null) return scalar(value);
  if (!Array.isArray(value)) return Object.keys(value).length === 0 ? "{}" : null;
  const items = value.map(oneLine);
  return items.includes(null) ? null : `[${items.join(", ")}]`;
}

function scalar(value: string | number | boolean | null): string {
  const text = JSON.stringify(value);
  // Formatters print the exponent of `1e+300` without its sign.
  return typeof value === "number" ? text.replace("e+", "e") : text;
}

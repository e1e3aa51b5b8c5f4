import type { Literal } from "../text/typescript.js";

/**
 * Levels of nesting that are printed with one member per line: each operation of a path, and each schema, is one line.
 */
const levels = 3;

/**
 * Prints JSON in lines suitable for diffs, but without indentation, as the document of a hundred resources has
 * megabytes. The general layout printer is ten times slower.
 */
export function jsonText(value: Literal): string {
  const parts: string[] = [];
  print(value, 0, parts);
  return `${parts.join("")}\n`;
}

function print(value: Literal, level: number, parts: string[]): void {
  const isShort = typeof value !== "object" || value === null || level === levels;
  if (isShort || Object.keys(value).length === 0) {
    parts.push(JSON.stringify(value));
    return;
  }
  const [open, close] = isList(value) ? ["[", "]"] : ["{", "}"];
  let start = `${open}\n`;
  for (const [key, item] of Object.entries(value)) {
    parts.push(isList(value) ? start : `${start}${JSON.stringify(key)}:`);
    print(item, isList(value) ? levels : level + 1, parts);
    start = ",\n";
  }
  parts.push(`\n${close}`);
}

function isList(value: Literal & object): value is readonly Literal[] {
  return Array.isArray(value);
}

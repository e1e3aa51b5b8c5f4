import type { Literal } from "../text/typescript.js";

/** Levels of a document with separate lines: a path and each of its operations, or a schema. */
const levels = 3;

/**
 * JSON in lines suitable for diffs, without indentation, as the document of a hundred resources
 * takes megabytes. The general layout printer is ten times slower.
 */
export function jsonText(value: Literal): string {
  return `${print(value, 0)}\n`;
}

function print(value: Literal, level: number): string {
  if (typeof value !== "object" || value === null || level === levels) return JSON.stringify(value);
  const members = isList(value)
    ? value.map((item) => print(item, levels))
    : Object.entries(value).map(
        ([key, item]) => `${JSON.stringify(key)}:${print(item, level + 1)}`,
      );
  const [open, close] = isList(value) ? ["[", "]"] : ["{", "}"];
  if (members.length === 0) return open + close;
  return `${open}\n${members.join(",\n")}\n${close}`;
}

function isList(value: Literal & object): value is readonly Literal[] {
  return Array.isArray(value);
}

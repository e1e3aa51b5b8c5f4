import { isUnicode } from "../text.js";
import { shownLength } from "./number.js";

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export interface JsonIssue {
  /** Keys and list indexes from the outermost value; empty for that value itself. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Maximum size of a value in bytes of UTF-8, as it occurs in records, without white space. */
export const maxJsonBytes = 65_536;

/** Maximum nesting depth of a value, including the outermost level. */
export const maxValueLevels = 32;

/** Maximum number of issues reported for a value. */
const maxIssues = 100;

export const jsonWords = {
  deep: `At most ${maxValueLevels} levels`,
  large: `At most ${maxJsonBytes} bytes`,
  text: "Text must be Unicode without NUL characters",
  number: "Cannot be stored exactly: a number must fit into a double without losing digits",
  repeated: "This key is repeated",
  notJson: "Must be JSON",
} as const;

/** The reasons why a JSON field cannot store a value; empty if it can. */
export function storedJsonIssues(value: unknown): readonly JsonIssue[] {
  if (isDeeper(value, maxValueLevels)) return [{ path: [], message: jsonWords.deep }];
  const issues: JsonIssue[] = [];
  const bytes = measure(value, [], issues);
  if (issues.length > 0) return issues.slice(0, maxIssues);
  return bytes > maxJsonBytes ? [{ path: [], message: jsonWords.large }] : [];
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => isDeeper(member, levels - 1));
}

/** Returns the size of the value as it occurs in records; adds its mistakes to `issues`. */
function measure(value: unknown, path: JsonIssue["path"], issues: JsonIssue[]): number {
  const refuse = (message: string) => {
    issues.push({ path, message });
    return 0;
  };
  if (value === null) return 4;
  if (typeof value === "string") {
    return isUnicode(value) ? sizeOf(value) : refuse(jsonWords.text);
  }
  if (typeof value === "number") {
    return Number.isFinite(value) ? shownLength(value) : refuse(jsonWords.number);
  }
  if (typeof value === "boolean") return value ? 4 : 5;
  if (typeof value !== "object") return refuse(jsonWords.notJson);
  if (Array.isArray(value)) {
    const sizes = value.map((member, at) => measure(member, [...path, at], issues));
    return sum(sizes) + 2 + Math.max(0, sizes.length - 1);
  }
  if (!isPlain(value)) return refuse(jsonWords.notJson);
  // Members that are undefined are skipped, as `JSON.stringify` does, on which app code relies.
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const sizes = members.map(([key, member]) => {
    const inside = [...path, key];
    if (!isUnicode(key)) issues.push({ path: inside, message: jsonWords.text });
    return sizeOf(key) + 1 + measure(member, inside, issues);
  });
  return sum(sizes) + 2 + Math.max(0, sizes.length - 1);
}

/** Whether an object is plain data, not for example a date or a map. */
function isPlain(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

const encoder = new TextEncoder();

/** The size of a text as JSON, which PostgreSQL escapes like JavaScript. */
function sizeOf(text: string): number {
  return encoder.encode(JSON.stringify(text)).length;
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}

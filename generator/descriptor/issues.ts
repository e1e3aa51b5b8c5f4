import { z } from "zod";
import type { Path } from "../../runtime/values/yaml/position.js";
import type { Options } from "../kind/kind.js";
import type { DescriptorIssue } from "./source.js";

/** Describes, for messages, the map whose options are read. */
export interface Subject {
  /** A name such as `a number field`. */
  readonly name: string;
  /** The term for the keys of the map. */
  readonly part: "option" | "key";
  readonly path: Path;
  /** Shown if something is missing, such as `{ type: enum, values: [draft, live] }`. */
  readonly example: string;
  /** Returns the hint for an unknown key: `read.ts` has those of descriptors, `fields.ts` those of fields. */
  hintFor(key: string): string;
}

/** Returns the valid options of a map, and an issue for each of the others. */
export function readOptions(
  shape: z.ZodObject,
  written: Options,
  subject: Subject,
): { options: Options; issues: readonly DescriptorIssue[] } {
  const whole = shape.safeParse(written);
  if (whole.success) {
    return { options: whole.data, issues: [] };
  }
  const issues = whole.error.issues.flatMap(chosenBranch);
  const malformed = new Set(issues.map(({ path }) => path[0]));
  const sound = Object.entries(written).filter(
    ([key]) => Object.hasOwn(shape.shape, key) && !malformed.has(key),
  );
  return {
    options: shape.partial().parse(Object.fromEntries(sound)),
    issues: withoutRepeats(issues.flatMap((issue) => issuesOf(issue, { shape, written, subject }))),
  };
}

interface Around {
  readonly shape: z.ZodObject;
  readonly written: Options;
  readonly subject: Subject;
}

function issuesOf(
  issue: z.core.$ZodIssue,
  { shape, written, subject }: Around,
): readonly DescriptorIssue[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      path: [...subject.path, key],
      at: "key",
      message: `${subject.name} has no ${subject.part} "${key}"`,
      hint: subject.hintFor(key),
    }));
  }
  const [option = "", index] = issue.path.map((part) => (typeof part === "symbol" ? "" : part));
  const path = [...subject.path, option, ...(index === undefined ? [] : [index])];
  const value = valueAt(written[option], index);
  if (value === undefined) {
    const message = `${subject.name} needs "${option}"`;
    return [{ path: subject.path, at: "key", message, hint: `for example ${subject.example}` }];
  }
  const name = nameOf(option, index);
  if (value === null) {
    const hint = "write a value for it, or remove it";
    return [{ path, at: "value", message: `${name} is empty`, hint }];
  }
  const schema = schemaAt(shape.shape[option], index);
  const hint =
    misplaced(value, subject) ??
    gotcha(issue, value) ??
    hintOf(issue, schema) ??
    `for example ${subject.example}`;
  return [{ path, at: "value", message: `${name} ${issue.message}`, hint }];
}

function nameOf(option: string | number, index: string | number | undefined): string {
  if (index === undefined) return `"${option}"`;
  return typeof index === "number"
    ? `entry ${index + 1} of "${option}"`
    : `"${index}" of "${option}"`;
}

function valueAt(value: unknown, index: string | number | undefined): unknown {
  return Array.isArray(value) && typeof index === "number" ? value[index] : value;
}

/** The issues of the last alternative, the only one that can fail in several ways. */
function chosenBranch(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  return (issue.errors.at(-1) ?? []).map((inner) => ({
    ...inner,
    path: [...issue.path, ...inner.path],
  }));
}

/** The schema of an option or of its list's entries; for alternatives, the last one. */
function schemaAt(
  schema: z.core.$ZodType | undefined,
  index: string | number | undefined,
): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodOptional) {
    return schemaAt(schema.unwrap(), index);
  }
  if (schema instanceof z.ZodUnion) {
    return schemaAt(schema.options.at(-1), index);
  }
  return schema instanceof z.ZodArray && index !== undefined ? schema.element : schema;
}

/** Returns the hint of the violated rule, or else the schema's hint. */
function hintOf(issue: z.core.$ZodIssue, schema: z.core.$ZodType | undefined): string | null {
  const own = issue.code === "custom" ? issue.params?.hint : null;
  if (typeof own === "string") {
    return own;
  }
  const hint = schema === undefined ? null : z.globalRegistry.get(schema)?.hint;
  return typeof hint === "string" ? hint : null;
}

/** Returns a hint for a key whose value looks like a field, which belongs below `fields`. */
function misplaced(value: unknown, { part }: Subject): string | null {
  const isField = part === "key" && typeof value === "object" && value !== null && "type" in value;
  return isField ? misplacedField : null;
}

export const misplacedField = "a field belongs below fields, indented";

/** Returns a hint about unquoted words that YAML does not parse as text; null if there is none. */
function gotcha(issue: z.core.$ZodIssue, value: unknown): string | null {
  if (issue.code !== "invalid_type") {
    return null;
  }
  if (issue.expected === "string" && (typeof value === "number" || typeof value === "boolean")) {
    return `write it in quotes: "${value}"`;
  }
  if (typeof value !== "string") {
    return null;
  }
  if (issue.expected === "boolean") {
    return /^(?:true|false)$/.test(value)
      ? `remove the quotes: ${value}`
      : "write true or false: yes, no, on and off are text in YAML";
  }
  const isNumber = issue.expected === "number" || issue.expected === "int";
  return isNumber && value.trim() !== "" && Number.isFinite(Number(value))
    ? `remove the quotes: ${value}`
    : null;
}

/** Removes duplicate issues: a number can violate several limits that share a message. */
function withoutRepeats(issues: readonly DescriptorIssue[]): readonly DescriptorIssue[] {
  const seen = new Set<string>();
  return issues.filter((issue) => {
    const key = JSON.stringify(issue);
    return !seen.has(key) && seen.add(key);
  });
}

import { isObject } from "../../../../../values/json-schema/schema.js";
import { readJson } from "../../value/json-text.js";

/** A member of a JSON object that a form edits. */
export interface Member {
  readonly key: string;
  readonly label: string;
  readonly help: string | undefined;
  readonly isRequired: boolean;
  readonly input:
    | { readonly kind: "text" }
    | { readonly kind: "number" }
    | { readonly kind: "choice"; readonly values: readonly (string | boolean)[] }
    | { readonly kind: "object"; readonly members: readonly Member[] };
}

/** Limits for a form; larger or more deeply nested objects are edited as text. */
const most = { members: 30, levels: 3 };

/** Schema keywords that allow unlisted members or other types. */
const open = [
  ...["$ref", "allOf", "anyOf", "oneOf", "not", "if", "patternProperties", "propertyNames"],
  ...["dependentSchemas", "dependentRequired", "const"],
];

/** The members of a schema's values, if these are objects of known fields; null for others. */
export function membersOf(schema: unknown, level = 1): readonly Member[] | null {
  if (!isObject(schema) || schema.type !== "object" || level > most.levels) return null;
  const { properties, required } = schema;
  if (!isObject(properties) || open.some((word) => Object.hasOwn(schema, word))) return null;
  const entries = Object.entries(properties);
  if (entries.length === 0 || entries.length > most.members) return null;
  const members: Member[] = [];
  for (const [key, one] of entries) {
    const input = inputOf(one, level);
    if (input === null || !isObject(one)) return null;
    const { title, description } = one;
    members.push({
      key,
      label: typeof title === "string" ? title : key,
      help: typeof description === "string" ? description : undefined,
      isRequired: Array.isArray(required) && required.includes(key),
      input,
    });
  }
  return members;
}

function inputOf(schema: unknown, level: number): Member["input"] | null {
  if (!isObject(schema) || open.some((word) => Object.hasOwn(schema, word))) return null;
  const { type, enum: values } = schema;
  if (Array.isArray(values)) {
    const texts = values.filter((value) => typeof value === "string");
    return texts.length === values.length ? { kind: "choice", values: texts } : null;
  }
  switch (type) {
    case "string":
      return { kind: "text" };
    case "number":
    case "integer":
      return { kind: "number" };
    case "boolean":
      return { kind: "choice", values: [true, false] };
    case "object": {
      const members = membersOf(schema, level + 1);
      return members === null ? null : { kind: "object", members };
    }
    default:
      return null;
  }
}

/** Whether a form of these members can show the whole value. */
export function fits(value: unknown, members: readonly Member[]): boolean {
  if (value === null || value === undefined) return true;
  if (!isObject(value) || Array.isArray(value)) return false;
  return Object.entries(value).every(([key, one]) => {
    const input = members.find((member) => member.key === key)?.input;
    switch (input?.kind) {
      case undefined:
        return false;
      case "text":
        return typeof one === "string";
      case "number":
        // Text that is not a number yet stays as typed.
        return typeof one === "number" || typeof one === "string";
      case "choice":
        return input.values.some((choice) => choice === one);
      case "object":
        return one !== null && fits(one, input.members);
      default:
        return input satisfies never;
    }
  });
}

/** Returns the object with a member replaced, or removed if the new value is undefined. Null if no member remains. */
export function withMember(
  value: unknown,
  members: readonly Member[],
  [key, next]: readonly [string, unknown],
): object | null {
  const former = isObject(value) ? value : {};
  const entries = members.flatMap((member) => {
    const one = member.key === key ? next : former[member.key];
    return one === undefined || one === null ? [] : [[member.key, one] as const];
  });
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/**
 * Parses a number formatted as in the form; returns the text itself if it is not yet a number, such as `59.` on the way
 * to 59.9.
 */
export function numberOrText(typed: string): number | string {
  const number = readNumber(typed);
  return String(number) === typed ? number : typed;
}

/** Parses a JSON number, such as 1 for `1.0`; returns the text itself if a double would change it. */
export function readNumber(typed: string): number | string {
  const read = readJson(typed.trim());
  return "value" in read && typeof read.value === "number" ? read.value : typed;
}

import { didYouMean } from "../../../runtime/values/nearest.js";
import { listWordsBriefly } from "../../../runtime/values/text.js";
import { maxCharacterBytes, maxKeyBytes } from "../../kind/column/key.js";
import { fieldWords } from "../../kind/kinds.js";
import type { FieldDescriptor, FieldList } from "../descriptor.js";
import type { DescriptorIssue } from "../source.js";

/** The keys of a descriptor that contain lists of fields. */
export type ListKey = "unique" | "indexes";

export function listExample(key: ListKey): string {
  return key === "unique" ? "unique: [[orderId, productId]]" : "indexes: [[status, -createdAt]]";
}

/** Maximum number of fields in one list, well below PostgreSQL's 32. */
export const maxListed = 8;

/** Times of every record that lists can sort by. */
const times = ["createdAt", "updatedAt"];

interface Entry {
  readonly key: ListKey;
  /** The entry's index in the key's value. */
  readonly at: number;
  /** Null if the fields are unknown. */
  readonly fields: readonly FieldDescriptor[] | null;
}

/** Reads one entry of `unique` or `indexes`; the list is null if it has any issue. */
export function readFieldList(
  written: unknown,
  { key, at, fields }: Entry,
): { readonly list: FieldList | null; readonly issues: readonly DescriptorIssue[] } {
  const path = [key, at];
  const entry = `entry ${at + 1} of "${key}"`;
  if (!Array.isArray(written)) {
    const message = `${entry} must be a list of fields`;
    const hint = `for example ${listExample(key)}`;
    return { list: null, issues: [{ path, at: "value", message, hint }] };
  }
  const names = written.map((name) => (typeof name === "string" ? name : null));
  const found = [
    ...lengthMistakes(key, names).map((mistake): DescriptorIssue => {
      return { ...mistake, path, at: "value", message: `${entry} ${mistake.message}` };
    }),
    ...written.flatMap((name: unknown, index): DescriptorIssue[] => {
      const before = names.slice(0, index);
      const mistake = memberMistake(key, name, { before, fields });
      return mistake === null ? [] : [{ ...mistake, path: [...path, index], at: "value" }];
    }),
  ];
  const list = written.filter((name) => typeof name === "string");
  if (found.length === 0 && key === "indexes" && fields !== null) {
    found.push(
      ...tooLong(list, fields).map((mistake) => ({ ...mistake, path, at: "value" as const })),
    );
  }
  return { list: found.length === 0 ? list : null, issues: found };
}

interface Mistake {
  readonly message: string;
  readonly hint: string;
}

function lengthMistakes(key: ListKey, names: readonly (string | null)[]): readonly Mistake[] {
  if (names.length > maxListed) {
    const hint = "leave out the least selective ones";
    return [{ message: `has ${names.length} fields, more than ${maxListed}`, hint }];
  }
  if (names.length === 0) {
    return [{ message: "is empty", hint: `for example ${listExample(key)}` }];
  }
  const [only] = names;
  if (key === "indexes" || names.length > 1 || only === null || only === undefined) {
    return [];
  }
  const hint = `write unique: true in the field "${fieldOf(only)}", or list the other fields next to it`;
  return [{ message: "has only one field", hint }];
}

interface Around {
  /** The preceding names in the same list; null for an entry that is not a name. */
  readonly before: readonly (string | null)[];
  readonly fields: readonly FieldDescriptor[] | null;
}

function memberMistake(key: ListKey, written: unknown, around: Around): Mistake | null {
  if (typeof written !== "string") {
    const isWord = ["number", "boolean"].includes(typeof written) || written === null;
    return {
      message: `a field's name in "${key}" must be text`,
      hint: isWord ? `write it in quotes: "${written}"` : `for example ${listExample(key)}`,
    };
  }
  const name = fieldOf(written);
  if (key === "unique" && name !== written) {
    const message = `"${written}" in "${key}" has a sort direction`;
    return { message, hint: `write ${name} alone: uniqueness has no order` };
  }
  if (around.before.some((other) => other !== null && fieldOf(other) === name)) {
    return {
      message: `"${name}" appears twice in one list of "${key}"`,
      hint: "keep one of the two",
    };
  }
  return builtInMistake(key, name) ?? fieldMistake(key, name, around.fields);
}

/** The issue of a list that names a built-in field; null for other names. */
function builtInMistake(key: ListKey, name: string): Mistake | null {
  const message = `"${name}" cannot be part of "${key}"`;
  if (name === "id") {
    return { message, hint: "leave it out: each record is found by its id" };
  }
  return key === "unique" && times.includes(name)
    ? { message, hint: "leave it out: it is the time at which a record was stored" }
    : null;
}

function fieldMistake(
  key: ListKey,
  name: string,
  fields: readonly FieldDescriptor[] | null,
): Mistake | null {
  if (fields === null || times.includes(name)) {
    return null;
  }
  const field = fields.find((candidate) => candidate.name === name);
  if (field === undefined) {
    const known = [...fields.map((one) => one.name), ...(key === "indexes" ? times : [])];
    const all =
      known.length === 0
        ? "write it below fields first"
        : `the fields are ${listWordsBriefly(known)}`;
    const message = `"${key}" names "${name}", which is not a field`;
    return { message, hint: didYouMean(name, known) ?? all };
  }
  const { kind, options } = field;
  if (options.computed !== undefined) {
    const option = key === "unique" ? "unique" : "index";
    const message = `"${name}" cannot be part of "${key}": it is computed`;
    return { message, hint: `write ${option}: true in the field itself` };
  }
  if (options.readOnly === true && key === "unique") {
    const message = `"${name}" cannot be part of "${key}": it is read-only`;
    return { message, hint: "list other fields, or remove readOnly from it" };
  }
  if (kind === null || kind.keyBytes(options) !== null) {
    return null;
  }
  const message = `"${name}" cannot be part of "${key}": it is ${fieldWords(kind)}`;
  return { message, hint: kind.unindexedHint };
}

/** The field's name, without the dash that means descending. */
function fieldOf(written: string): string {
  return written.startsWith("-") ? written.slice(1) : written;
}

/**
 * Returns the issues of fields too long for an index. Uniqueness can be checked by digest, but an index that sorts
 * needs the values.
 */
function tooLong(list: FieldList, fields: readonly FieldDescriptor[]): readonly Mistake[] {
  const sizes = list.flatMap((written) => {
    const field = fields.find(({ name }) => name === fieldOf(written));
    const bytes = field?.kind?.keyBytes(field.options) ?? 0;
    const hasLength = field?.kind != null && "maxLength" in field.kind.options.shape;
    return [{ hasLength, bytes }];
  });
  const sum = (of: typeof sizes) => of.reduce((total, { bytes }) => total + bytes, 0);
  if (sum(sizes) <= maxKeyBytes) {
    return [];
  }
  const strings = sizes.filter(({ hasLength }) => hasLength);
  const room = maxKeyBytes - (sum(sizes) - sum(strings));
  const characters = Math.floor(room / maxCharacterBytes);
  const what = strings.length === 1 ? "its string may hold" : "its strings may together hold";
  return [
    {
      message: `the values of this entry of "indexes" may take ${sum(sizes)} bytes, and an index has room for ${maxKeyBytes}`,
      hint:
        characters < strings.length || strings.length === 0
          ? "leave some of its fields out"
          : `${what} ${characters} characters: lower a "maxLength", or leave a field out`,
    },
  ];
}

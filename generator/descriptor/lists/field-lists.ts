import type { FieldDescriptor, FieldList } from "../descriptor.js";
import { misplacedField } from "../issues.js";
import { isMap } from "../shape.js";
import type { DescriptorIssue } from "../source.js";
import { type ListKey, listExample, readFieldList } from "./field-list.js";

export interface ReadFieldLists {
  /** The lists without issues. */
  readonly lists: readonly FieldList[];
  readonly issues: readonly DescriptorIssue[];
}

/** Maximum number of lists, as each write updates every index. */
export const maxLists = 32;

/** Reads the lists below `unique` or `indexes`; `fields` is null if the resource's fields are unknown. */
export function readFieldLists(
  key: ListKey,
  written: unknown,
  fields: readonly FieldDescriptor[] | null,
): ReadFieldLists {
  if (written === undefined) {
    return { lists: [], issues: [] };
  }
  const hint = Array.isArray(written) ? hintForLists(key, written) : hintForOther(key, written);
  if (hint !== null || !Array.isArray(written)) {
    const message = written === null ? `"${key}" is empty` : `"${key}" ${rule}`;
    return { lists: [], issues: [{ path: [key], at: "value", message, hint: hint ?? "" }] };
  }
  const read = written.map((list, at) => readFieldList(list, { key, at, fields }));
  return {
    lists: read.flatMap(({ list }) => (list === null ? [] : [list])),
    issues: [
      ...read.flatMap(({ issues }) => issues),
      ...repeats(
        key,
        read.map(({ list }) => list),
      ),
    ],
  };
}

const rule = `must be a list of 1 to ${maxLists} lists of fields`;

const ofOneField = "for a single field, use its option: { type: string, unique: true }";

/** Returns the hint if the value as a whole is invalid; null if its entries can be read. */
function hintForLists(key: ListKey, lists: readonly unknown[]): string | null {
  const names = lists.filter((entry) => typeof entry === "string");
  if (lists.length > 0 && names.length === lists.length) {
    return key === "unique" && names.length === 1
      ? ofOneField
      : `write ${key}: [[${names.join(", ")}]]`;
  }
  if (lists.length > maxLists) {
    return "leave out those that matter least: every write updates every index";
  }
  return lists.length === 0 ? `write ${listExample(key)}, or remove it` : null;
}

function hintForOther(key: ListKey, written: unknown): string {
  if (written === null) {
    return "write a value for it, or remove it";
  }
  if (isMap(written) && "type" in written) {
    return misplacedField;
  }
  return key === "unique" && typeof written === "boolean"
    ? ofOneField
    : `for example ${listExample(key)}`;
}

/** Returns the issues of repeated lists. The order of fields matters for an index, but not for uniqueness. */
function repeats(key: ListKey, lists: readonly (FieldList | null)[]): readonly DescriptorIssue[] {
  const texts = lists.map((list) => {
    const sorted = key === "unique" ? list?.toSorted() : list;
    return sorted?.join(", ") ?? null;
  });
  return texts.flatMap((text, at): DescriptorIssue[] => {
    const first = texts.indexOf(text);
    if (text === null || first === at) {
      return [];
    }
    const message = `entry ${at + 1} of "${key}" repeats entry ${first + 1}`;
    return [{ path: [key, at], at: "value", message, hint: "keep one of the two" }];
  });
}

import type { Aggregation } from "../../runtime/values/aggregations.js";
import { detailsKey } from "../../runtime/values/files/details-key.js";
import type { Literal } from "../text/typescript.js";
import { belongsTo } from "./belongs-to.js";
import { boolean } from "./boolean.js";
import { date } from "./date.js";
import { enumeration } from "./enum.js";
import { file } from "./file.js";
import { image } from "./image.js";
import { json } from "./json.js";
import type { Kind, ValueSchema } from "./kind.js";
import { links, throughOf } from "./list/links.js";
import { listOf } from "./list/list.js";
import { number } from "./number.js";
import { string } from "./string.js";
import { text } from "./text.js";
import { timestamp } from "./timestamp.js";

/** Every kind of field. To add one, follow "Add a kind of field" in `docs/contributing.md`. */
const all = [
  string,
  text,
  number,
  boolean,
  enumeration,
  date,
  timestamp,
  belongsTo,
  links,
  json,
  image,
  file,
] as const;

export type Field = ReturnType<(typeof all)[number]["field"]>;

export type AnyKind = Kind<Field>;

/** Every kind, in the order in which messages list them. */
export const kinds: readonly AnyKind[] = all;

const byName = new Map(kinds.map((kind) => [kind.name, kind]));

export function kindNamed(name: Field["kind"]): AnyKind {
  const kind = byName.get(name);
  if (kind === undefined) throw new Error(`there is no kind ${name}`);
  return kind;
}

/** The kind of a field of the model. */
export function kindOf(field: Field): AnyKind {
  const kind = kindNamed(field.kind);
  return field.list === null ? kind : listed(kind);
}

const lists = new Map<AnyKind, AnyKind>();

/** The kind of lists of such values. */
export function listed(kind: AnyKind): AnyKind {
  const list = lists.get(kind) ?? listOf(kind);
  lists.set(kind, list);
  return list;
}

/** The value of a record that is created without the field; null if there is none. */
export function defaultOf(field: Field): Literal {
  if (field.list !== null) return field.list.default;
  return "default" in field ? field.default : null;
}

/** Whether every record must have a value, or at least one element in a list. */
export function isRequired({ list, required }: Field): boolean {
  return list === null ? required : list.least > 0;
}

const valueSchemas = new WeakMap<Field, ValueSchema>();

/** Returns the schema of a field's values. Cached, as an example that matches a pattern takes time to find. */
export function valueSchema(field: Field): ValueSchema {
  let schema = valueSchemas.get(field);
  if (schema === undefined) {
    schema = kindOf(field).schema(field);
    valueSchemas.set(field, schema);
  }
  return schema;
}

/** Returns the name of a field of the kind with an article: `an image field`. */
export function fieldWords({ name, isList }: Pick<AnyKind, "name" | "isList">): string {
  if (isList) return "a list";
  return `${/^[aeiou]/.test(name) ? "an" : "a"} ${name} field`;
}

export function isFiltered(field: Field): boolean {
  return kindOf(field).condition !== null;
}

export function isSorted(field: Field): boolean {
  const { condition } = kindOf(field);
  return condition !== null && condition.comparisons !== "links" && field.list === null;
}

/** Whether the field of a record can be null. */
export function isNullable(field: Field): boolean {
  return !field.required && kindOf(field).emptyValue === null;
}

export function isAggregated(field: Field, as: Aggregation): boolean {
  return kindOf(field).aggregations(field).includes(as);
}

/** Whether the value is a list whose entries are rows of a table, either the app's or an adopted one. */
export function hasEntries(field: Field): boolean {
  return kindOf(field).entries(field) !== null || throughOf(field) !== null;
}

/** Whether the list of that name is stored by the app itself, not in an adopted join table. */
export function isOwnList(fields: readonly Field[], name: string): boolean {
  return fields.every((field) => field.name !== name || throughOf(field) === null);
}

/** Whether the field contains a file: an upload's storage key, or a list of them. */
export function isFile(field: Field): boolean {
  return kindOf(field).isFile;
}

/** Returns the property of a record with the details of the field's files; empty for other fields. */
export function detailsKeys(field: Field): readonly string[] {
  const kind = kindOf(field);
  return kind.isFile ? [detailsKey(field.name, kind)] : [];
}

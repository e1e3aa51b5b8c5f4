import { idForms } from "../../../../values/schema/id-types.js";
import { nameOfDay } from "../../text/dates.js";
import { enList } from "../../text/en/list.js";
import { readerNumbers } from "../../text/figures.js";
import type { Field, Resource } from "../client/types.js";

/** The values that every record has in addition to its fields. */
export const id: Field = { name: "id", type: "string", label: enList.id };
/** The id of a new record if neither the app nor the database generates it. */
export const givenId: Field = { ...id, required: true };
export const createdAt: Field = {
  name: "createdAt",
  type: "timestamp",
  label: enList.created,
  required: true,
  writable: false,
};
export const updatedAt: Field = {
  name: "updatedAt",
  type: "timestamp",
  label: enList.updated,
  required: true,
  writable: false,
};

/** A field to choose one account, which is not a field of a resource. */
export function accountLink(label: string): Field {
  return { name: "to", type: "belongsTo", resource: "users", required: true, label };
}

/** A field to choose one record, which is not a field of its resource. */
export function recordLink({ name, id: key }: Pick<Resource, "name" | "id">, label: string): Field {
  const idType = key === undefined ? {} : { idType: key.type };
  return { name: "other", type: "belongsTo", resource: name, required: true, label, ...idType };
}

// The facts about a field's kind that requests need; the kinds themselves are in a higher layer.

/** Whether `q` searches the field, so that users find its values by typing. */
export function isString({ type }: Field): boolean {
  return type === "string";
}

export function isLink({ type }: Field): boolean {
  return type === "belongsTo";
}

export function isNumber({ type }: Field): boolean {
  return type === "number";
}

/** Whether values are short enough to be displayed next to a title. */
export function isShort({ type }: Field): boolean {
  return ["string", "enum", "number", "date"].includes(type);
}

export function asListed({ type, decimals }: Field, value: unknown): string {
  if (type === "number") return readerNumbers.write(Number(value), decimals);
  return type === "date" ? nameOfDay(String(value)) : String(value);
}

/** Whether the text may be the id of a record to which the field links. */
export function isIdOf({ idType = "uuid" }: Field, text: string): boolean {
  return idForms[idType].isId(text);
}

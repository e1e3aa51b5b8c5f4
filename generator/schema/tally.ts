import { createHash } from "node:crypto";
import type { BooleanField, EnumField, Field } from "../model/model.js";
import { shortened } from "../model/names.js";
import { tallyName } from "./object-names.js";
import type { Count, Tally } from "./schema.js";

/** The tally of a table: it counts all rows, and those that hold each value of some fields. */
export function tallyOf(table: string, fields: readonly Field[]): Tally {
  return { name: tallyName(table), counts: tallied(fields).flatMap(countsOf) };
}

type TalliedField = BooleanField | EnumField;

/** Numbers in a slot; each write passes over all of them, and a slot has to fit in a page. */
const mostCounts = 200;

/** The booleans and enums, in the fields' order, as long as there is room for their values. */
export function tallied(fields: readonly Field[]): readonly TalliedField[] {
  let counts = 0;
  return fields.filter((field): field is TalliedField => {
    if (field.kind !== "boolean" && field.kind !== "enum") return false;
    const room = counts + valuesOf(field).length <= mostCounts;
    if (room) counts += valuesOf(field).length;
    return room;
  });
}

/** One for each value, in the values' order; for a boolean true comes first. */
function countsOf(field: TalliedField): readonly Count[] {
  const { column } = field;
  return valuesOf(field).map((value) => ({ name: countName(column, value), column, value }));
}

function valuesOf(field: TalliedField): readonly string[] {
  return field.kind === "enum" ? field.values : ["true", "false"];
}

function countName(column: string, value: string): string {
  const plain = /^[\w .-]{1,30}$/.test(value);
  return shortened(`${column}__${plain ? value : digest(value)}`);
}

function digest(value: string): string {
  return createHash("sha256").update(value).digest("hex").slice(0, 16);
}

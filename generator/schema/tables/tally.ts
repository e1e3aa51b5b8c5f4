import type { BooleanField, EnumField, Field } from "../../model/model.js";
import type { Count } from "./schema.js";

/** What a table's tally counts beside all rows: those that hold each value of some fields. */
export function countsOf(fields: readonly Field[]): readonly Count[] {
  return tallied(fields).flatMap(countsOfField);
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
function countsOfField(field: TalliedField): readonly Count[] {
  return valuesOf(field).map((value) => ({ column: field.column, value }));
}

function valuesOf(field: TalliedField): readonly string[] {
  return field.kind === "enum" ? field.values : ["true", "false"];
}

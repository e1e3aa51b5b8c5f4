import { type Field, kindOf } from "../../kind/kinds.js";
import type { Count } from "./schema.js";

/** What a table's tally counts besides all rows: the rows with each value of some fields. */
export function countsOf(fields: readonly Field[]): readonly Count[] {
  return tallied(fields).flatMap((field) =>
    valuesOf(field).map((value) => ({ column: field.column, value })),
  );
}

/** Numbers in a slot; each write updates the whole slot, which must fit in a page. */
const maxCounts = 200;

/** The fields of few values, in their order, as long as there is room for these. */
export function tallied(fields: readonly Field[]): readonly Field[] {
  let counts = 0;
  return fields.filter((field) => {
    const own = valuesOf(field).length;
    const hasRoom = own > 0 && counts + own <= maxCounts;
    if (hasRoom) counts += own;
    return hasRoom;
  });
}

/** The values that are counted, in their order. */
function valuesOf(field: Field): readonly string[] {
  return kindOf(field).counted(field);
}

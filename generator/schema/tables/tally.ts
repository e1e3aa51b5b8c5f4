import { isOwnerRule } from "../../../runtime/values/access-rule.js";
import type { Count } from "../../../runtime/values/schema/schema.js";
import { type Field, kindOf } from "../../kind/kinds.js";
import { isUnique, type Resource } from "../../model/model.js";

/** What a table's tally counts besides all rows: the rows with each value of some fields, and of each owner. */
export function countsOf(resource: Resource): readonly Count[] {
  const owner = countedOwner(resource);
  return [
    ...talliedFields(resource.fields).flatMap((field) =>
      valuesOf(field).map((value) => ({ column: field.column, value })),
    ),
    ...(owner === null ? [] : [{ column: owner, value: null }]),
  ];
}

/**
 * The column by which rows are counted, where some callers may see only their own records: the record's own link to its
 * owner, an account or a group. An owner at the end of several links changes with records of other tables, so those rows
 * are not counted; nor are those of accounts that are no rows here, as what is kept of an account goes with it.
 */
export function countedOwner({ owner, access, fields }: Resource): string | null {
  const [first, ...others] = owner ?? [];
  if (first === undefined || first.type === "text" || others.length > 0) return null;
  const isAsked = [access.list, access.stats].some(isOwnerRule);
  // Where each owner has one record at most, the unique index answers as quickly.
  const link = fields.find((field) => field.name === first.field);
  const isOne = link !== undefined && isUnique(link);
  // Records without an owner are counted for nobody, and the id of a group is none of the fields.
  const isOptional = link?.required === false;
  return isAsked && !isOne && !isOptional ? first.column : null;
}

/** Numbers in a slot; each write updates the whole slot, which must fit in a page. */
const maxCounts = 200;

/** The fields of few values, in their order, as long as there is room for these. */
export function talliedFields(fields: readonly Field[]): readonly Field[] {
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

import { isOwnerRule } from "../../../runtime/values/access-rule.js";
import type { Count } from "../../../runtime/values/schema/schema.js";
import { type Field, kindOf } from "../../kind/kinds.js";
import { isUnique, type Resource } from "../../model/model.js";

/**
 * Returns what a table's tally counts in addition to its total: the rows with each value of some fields, and of each
 * owner. Empty if nothing is counted.
 */
export function countsOf(resource: Resource): readonly Count[] {
  if (!resource.isCounted) return [];
  const owner = countedOwner(resource);
  return [
    ...talliedFields(resource.stored).flatMap((field) =>
      valuesOf(field).map((value) => ({ column: field.column, value })),
    ),
    ...(owner === null ? [] : [{ column: owner, value: null }]),
  ];
}

/**
 * Returns the column by which rows are counted if some callers can see only their own records: the direct link to the
 * owner, an account or a group. Rows whose owner is several links away are not counted, as that changes with records of
 * other tables. Neither are rows of accounts that are not stored here, as an account's count is deleted with its row.
 */
export function countedOwner({ isCounted, owner, access, fields }: Resource): string | null {
  if (!isCounted) return null;
  const [first, ...others] = owner ?? [];
  if (first === undefined || first.type === "text" || others.length > 0) return null;
  const needsOwnerCounts = [access.list, access.stats].some(isOwnerRule);
  // If each owner has at most one record, the unique index is equally fast.
  const link = fields.find((field) => field.name === first.field);
  const isOne = link !== undefined && isUnique(link);
  // Records without an owner are not counted, and the id of a group is not one of the fields.
  const isOptional = link?.required === false;
  return needsOwnerCounts && !isOne && !isOptional ? first.column : null;
}

/** Maximum number of counts in a slot. Each write updates the whole slot, which must fit in a page. */
const maxCounts = 200;

/** Returns the fields with few values, in order, as long as there is room for their counts. */
export function talliedFields(fields: readonly Field[]): readonly Field[] {
  let counts = 0;
  return fields.filter((field) => {
    const own = valuesOf(field).length;
    const hasRoom = own > 0 && counts + own <= maxCounts;
    if (hasRoom) counts += own;
    return hasRoom;
  });
}

function valuesOf(field: Field): readonly string[] {
  return kindOf(field).counted(field);
}

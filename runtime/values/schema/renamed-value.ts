import { sqlLiteral } from "../sql/text.js";
import type { Column } from "./schema.js";

/** A renamed value. */
interface RenamedValue {
  readonly value: string;
  readonly to: string;
}

/** The values of an enum's column; null for any other column. */
export function valuesOf({ check }: Pick<Column, "check">): readonly string[] | null {
  return check?.rule === "values" ? check.values : null;
}

/** The column after a value was renamed, in its default too. */
export function withRenamedValue(column: Column, { value, to }: RenamedValue): Column {
  const renamed = (valuesOf(column) ?? []).map((one) => (one === value ? to : one));
  return {
    ...column,
    check: { rule: "values", values: [...new Set(renamed)].sort() },
    default: column.default === sqlLiteral(value) ? sqlLiteral(to) : column.default,
  };
}

/** Whether the new name is that of another value, so that the two become indistinguishable. */
export function isMerge(column: Column, { to }: RenamedValue): boolean {
  return valuesOf(column)?.includes(to) ?? false;
}

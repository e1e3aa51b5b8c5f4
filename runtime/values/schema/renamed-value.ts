import { sqlLiteral } from "../sql/text.js";
import type { Check } from "./check.js";
import type { Column } from "./schema.js";

interface RenamedValue {
  readonly value: string;
  readonly to: string;
}

/** The values of an enum column, or of a list of them; null for any other column. */
export function valuesOf({ check }: Pick<Column, "check">): readonly string[] | null {
  const rule = check?.rule === "list" ? check.element : check;
  return rule?.rule === "values" ? rule.values : null;
}

/** The check of an enum column, or of a list of them, with other values. */
export function withValues(check: Check | null, values: readonly string[]): Check {
  const rule = { rule: "values", values: [...new Set(values)].sort() } as const;
  return check?.rule === "list" ? { ...check, element: rule } : rule;
}

/** Renames a value in a column's check and default value; the default of a list is changed separately. */
export function withRenamedValue(column: Column, { value, to }: RenamedValue): Column {
  const renamed = (valuesOf(column) ?? []).map((one) => (one === value ? to : one));
  return {
    ...column,
    check: withValues(column.check, renamed),
    default: column.default === sqlLiteral(value) ? sqlLiteral(to) : column.default,
  };
}

/** Whether another value already has the new name, so that both values become the same. */
export function isMerge(column: Column, { to }: RenamedValue): boolean {
  return valuesOf(column)?.includes(to) ?? false;
}

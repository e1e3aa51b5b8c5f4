import type { ChangeOf } from "../../../runtime/values/schema/change-kinds.js";
import type { Check } from "../../../runtime/values/schema/check.js";
import { checkDefinition } from "../../../runtime/values/schema/definitions.js";
import { checkName } from "../../../runtime/values/schema/object-names.js";
import {
  valuesOf,
  withRenamedValue,
  withValues,
} from "../../../runtime/values/schema/renamed-value.js";
import { type Column, columnIn, type Table } from "../../../runtime/values/schema/schema.js";
import { sqlIdentifier, sqlList, sqlLiteral } from "../../../runtime/values/sql/text.js";
import { again, dropConstraint, setDefault } from "./alter.js";
import { phasedSteps } from "./phase.js";
import type { Step } from "./step.js";
import { addNotValid, idSql } from "./table.js";

/**
 * Renames a value of an enum. First its check accepts both names, and batches change the rows without blocking writes.
 * Then the check rejects the old name, and rows written with it in the meantime are changed.
 */
export function renameValue(table: Table, change: ChangeOf<"renameValue">): readonly Step[] {
  const { to } = change;
  const former = columnIn(table, change.column);
  const column = withRenamedValue(former, change);
  const own = sqlIdentifier(column.name);
  const { renamed, isNamed } = renamedIn(former, change);
  const fill = [
    `update ${sqlIdentifier(table.name)}`,
    `set ${own} = ${renamed}`,
    `where ${idSql(table)} >= $1 and ${idSql(table)} <= $2 and ${isNamed};`,
  ].join("\n");
  const usual =
    former.default === column.default
      ? []
      : setDefault({
          ...change,
          kind: "setDefault",
          from: former.default,
          to: column.default,
        });
  const values = valuesOf(former);
  if (former.check === null || values === null || column.check === null) {
    throw new Error(`the column ${table.name}.${column.name} has no values`);
  }
  const name = checkName(table.name, column.name, former.check);
  const taking = (check: Check) =>
    addNotValid(table.name, checkDefinition(name, column.name, check), dropConstraint(name));
  const both = withValues(former.check, [...values, to]);
  return phasedSteps(table.name, [
    { phase: "prepare", statements: [taking(both)] },
    ...usual,
    { phase: "fill", statement: fill },
    { phase: "guard", statements: [taking(column.check)] },
    { phase: "refill", statement: `${again}\n${fill}` },
    { phase: "validate", constraint: name },
  ]);
}

/** Returns SQL of the value after the rename, and a condition for rows that have the former one. */
function renamedIn(
  { name, check }: Column,
  { value, to }: ChangeOf<"renameValue">,
): { readonly renamed: string; readonly isNamed: string } {
  const own = sqlIdentifier(name);
  const names = `${sqlLiteral(value)}, ${sqlLiteral(to)}`;
  if (check?.rule !== "list") {
    return { renamed: sqlLiteral(to), isNamed: `${own} = ${sqlLiteral(value)}` };
  }
  const replaced = `array_replace(${own}, ${names})`;
  const has = (one: string) => `${own} @> ${sqlList([one])}`;
  // The list may already contain the new name.
  const renamed = check.distinct
    ? `case when ${has(to)} then array_remove(${own}, ${sqlLiteral(value)}) else ${replaced} end`
    : replaced;
  return { renamed, isNamed: has(value) };
}

import type { ChangeOf } from "../../../runtime/values/schema/change-kinds.js";
import type { Check } from "../../../runtime/values/schema/check.js";
import { checkDefinition } from "../../../runtime/values/schema/definitions.js";
import { checkName } from "../../../runtime/values/schema/object-names.js";
import { withRenamedValue } from "../../../runtime/values/schema/renamed-value.js";
import { columnIn, type Table } from "../../../runtime/values/schema/schema.js";
import { sqlIdentifier, sqlLiteral } from "../../../runtime/values/sql/text.js";
import { again, dropConstraint, setDefault } from "./alter.js";
import { phasedSteps } from "./phase.js";
import type { Step } from "./step.js";
import { addNotValid } from "./table.js";

/**
 * Renames a value of an enum: its check accepts both names, batches change the rows while others
 * write, then the check refuses the old name. Rows written with it in the meantime are changed
 * last.
 */
export function renameValue(table: Table, change: ChangeOf<"renameValue">): readonly Step[] {
  const { value, to } = change;
  const former = columnIn(table, change.column);
  const column = withRenamedValue(former, change);
  const own = sqlIdentifier(column.name);
  const fill = [
    `update ${sqlIdentifier(table.name)}`,
    `set ${own} = ${sqlLiteral(to)}`,
    `where id >= $1 and id <= $2 and ${own} = ${sqlLiteral(value)};`,
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
  if (former.check?.rule !== "values" || column.check === null) {
    throw new Error(`the column ${table.name}.${column.name} has no values`);
  }
  const name = checkName(table.name, column.name, former.check);
  const taking = (check: Check) =>
    addNotValid(table.name, checkDefinition(name, column.name, check), dropConstraint(name));
  const both = { ...former.check, values: [...new Set([...former.check.values, to])].sort() };
  return phasedSteps(table.name, [
    { phase: "prepare", statements: [taking(both)] },
    ...usual,
    { phase: "fill", statement: fill },
    { phase: "guard", statements: [taking(column.check)] },
    { phase: "refill", statement: `${again}\n${fill}` },
    { phase: "validate", constraint: name },
  ]);
}

import type { Change, ChangeOf } from "../../../runtime/values/schema/change-kinds.js";
import { columnDefinition } from "../../../runtime/values/schema/definitions.js";
import { emptyName } from "../../../runtime/values/schema/object-names.js";
import {
  type Column,
  columnIn,
  type Schema,
  type Table,
  tableIn,
} from "../../../runtime/values/schema/schema.js";
import { sqlIdentifier, sqlLiteral } from "../../../runtime/values/sql/text.js";
import { addCheck, addLink, createIndexLive, setDefault } from "./alter.js";
import { releaseMoved } from "./kept/pairs.js";
import { type PhasedStep, phasedSteps } from "./phase.js";
import { type Step, transaction } from "./step.js";
import { addNotValid, alterTable, call, emptyDefinition } from "./table.js";

/** Drops a column, whose entries an earlier change may have converted to rows of a table. */
export function dropColumn(
  schema: Schema,
  change: ChangeOf<"dropColumn">,
  changes: readonly Change[],
): Step {
  const { table, column } = change;
  const { link } = columnIn(tableIn(schema, table), column);
  const statement = alterTable(table, `drop column ${sqlIdentifier(column)}`);
  // The target table is locked too.
  const group = link === null ? table : `${table}, ${column}`;
  return transaction(group, [...releaseMoved(change, changes), statement]);
}

export function dropTable(schema: Schema, { table }: ChangeOf<"dropTable">): Step {
  const { counts, search } = tableIn(schema, table);
  return transaction(table, [
    `drop table ${sqlIdentifier(table)};`,
    ...(counts === null ? [] : [call("drop_tally", sqlLiteral(table))]),
    ...(search.length === 0 ? [] : [call("drop_search_index", sqlLiteral(table))]),
  ]);
}

/**
 * Returns the steps for a column whose new type cannot represent any old value: the old column is dropped and a new one
 * added. The migration's check has counted the values. A constraint rejects values written since then, so that none are
 * lost.
 */
export function dropAndAddColumn(
  table: Table,
  { column, indexes }: ChangeOf<"replaceColumn">,
): readonly Step[] {
  const { name } = table;
  const former = columnIn(table, column.name);
  const empty = emptyName(name, column.name);
  const guards: readonly PhasedStep[] = [
    { phase: "guard", statements: [addNotValid(name, emptyDefinition(empty, column.name))] },
    { phase: "validate", constraint: empty },
  ];
  const rest = { ...table, indexes: table.indexes.filter((index) => !isOn(index, column)) };
  return [
    ...phasedSteps(name, guards),
    {
      kind: "transaction",
      // The old column's link is dropped with it, which locks the linked table.
      group: former.link === null ? name : `${name}, ${column.name}`,
      statements: [
        alterTable(name, `drop column ${sqlIdentifier(column.name)}`),
        alterTable(name, `add column ${columnDefinition(asAdded(column))}`),
      ],
    },
    ...phasedSteps(name, [
      ...defaultForNewRows(name, column),
      ...(column.check === null
        ? []
        : addCheck({ table: name, column: column.name }, column.check)),
      ...(column.link === null ? [] : addLink({ table: name, column: column.name }, column.link)),
      ...indexes.flatMap((index) => createIndexLive(rest, index)),
    ]),
  ];
}

function isOn({ keys }: Table["indexes"][number], { name }: Column): boolean {
  return keys.some(({ column }) => column === name);
}

/**
 * Returns the column as it is added: the default of an optional column applies to new rows, and existing nulls stay.
 */
function asAdded(column: Column): Column {
  return column.required ? column : { ...column, default: null };
}

function defaultForNewRows(
  table: string,
  { name, required, default: to }: Column,
): readonly PhasedStep[] {
  if (required || to === null) return [];
  return setDefault({ kind: "setDefault", table, column: name, from: null, to });
}

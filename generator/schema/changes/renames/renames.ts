import type { ChangeOf } from "../../../../runtime/values/schema/change-kinds.js";
import { valuesOf } from "../../../../runtime/values/schema/renamed-value.js";
import {
  type Column,
  columnIn,
  type Schema,
  type Table,
  tableIn,
} from "../../../../runtime/values/schema/schema.js";
import { type Field, kindOf } from "../../../kind/kinds.js";
import type { Model, Resource } from "../../../model/model.js";
import { type Former, type Lineage, valueKey } from "../lineage.js";

/**
 * The renames of tables and columns; columns refer to tables by their new names. All apply simultaneously, so names may
 * be passed on in a chain or a cycle: `inSequence` orders them.
 */
export interface Renames {
  readonly tables: readonly RenameTable[];
  readonly columns: readonly RenameColumn[];
  /** Renames of values, which also refer to columns by their new names. */
  readonly values: readonly RenameValue[];
  /** Pairs that move between lists of links and resources; omitted if there are none. */
  readonly pairs?: readonly ChangeOf<"movePairs">[];
}

type RenameTable = ChangeOf<"renameTable">;
type RenameColumn = ChangeOf<"renameColumn">;
type RenameValue = ChangeOf<"renameValue">;

/**
 * Returns the renames that the model's `was` entries require, except those already made and those whose former name is
 * not in the schema. Tables and columns whose names are spelled differently in the descriptors are renamed too.
 * Anything else that has the new name is moved out of the way.
 */
export function renamesOf({ resources }: Model, schema: Schema, lineage: Lineage): Renames {
  const known = new Map(schema.tables.map((table) => [table.resource, table]));
  const isDone = ({ name, was }: Resource) =>
    known.has(name) && isFormer(lineage.resources.get(name), was);
  const moved = new Map(
    resources.flatMap((resource) => {
      const former = resource.was === null ? undefined : known.get(resource.was);
      return former === undefined || isDone(resource) ? [] : [[resource.name, former] as const];
    }),
  );
  const taken = new Set([...moved.values()].map(({ name }) => name));
  for (const { name, table } of resources) {
    const own = known.get(name);
    const isRespelt = own !== undefined && own.name !== table && !taken.has(own.name);
    if (isRespelt && !moved.has(name)) moved.set(name, own);
  }
  const movedFrom = new Set([...moved.values()].map(({ resource }) => resource));
  const tables = resources.flatMap((resource) => {
    const former = moved.get(resource.name);
    return former === undefined ? [] : [renamedTable(former, resource)];
  });
  const columns = resources.flatMap((resource) => {
    const own = movedFrom.has(resource.name) ? undefined : known.get(resource.name);
    const former = moved.get(resource.name) ?? own;
    return former === undefined ? [] : renamedColumns(former, resource, lineage);
  });
  const values = resources.flatMap((resource) => {
    const own = movedFrom.has(resource.name) ? undefined : known.get(resource.name);
    const former = moved.get(resource.name) ?? own;
    return former === undefined ? [] : renamedValues(former, resource, { columns, lineage });
  });
  return { tables, columns, values };
}

/** The values that the columns still store under their former names. */
function renamedValues(
  { columns: formers, resource: formerResource }: Table,
  { table, fields }: Resource,
  { columns, lineage }: { readonly columns: readonly RenameColumn[]; readonly lineage: Lineage },
): RenameValue[] {
  return fields.flatMap((field) => {
    const all = kindOf(field).renamed(field);
    const renamed = Object.entries(all);
    if (renamed.length === 0) return [];
    const taken = new Set(Object.values(all));
    const moved = columns.find((one) => one.table === table && one.to.name === field.column);
    const former = formers.find(({ name }) => name === (moved?.column ?? field.column));
    const known = former === undefined ? null : valuesOf(former);
    const name = moved === undefined ? field.name : (former?.field ?? field.name);
    const done = lineage.fields.get(formerResource)?.get(name)?.values;
    return (
      renamed
        .filter(([value]) => known?.includes(value))
        // After a rename, the former name exists again if another value takes it. Such a completed rename is omitted.
        .filter(([value, to]) => !(taken.has(value) && done?.has(valueKey(value, to))))
        .map(([value, to]) => ({ kind: "renameValue", table, column: field.column, value, to }))
    );
  });
}

function isFormer(former: Former | undefined, was: string | null): boolean {
  return was !== null && (former?.names.has(was) ?? false);
}

function renamedTable({ name: table }: Table, resource: Resource): RenameTable {
  return { kind: "renameTable", table, to: { name: resource.table, resource: resource.name } };
}

function renamedColumns(
  { columns, resource: formerResource }: Table,
  { table, fields }: Resource,
  lineage: Lineage,
): RenameColumn[] {
  const known = new Map(columns.map((column) => [column.field, column]));
  const formers = lineage.fields.get(formerResource);
  const formerOf = ({ name, was }: Field) =>
    was === null || (known.has(name) && isFormer(formers?.get(name), was))
      ? undefined
      : known.get(was);
  return fields.flatMap((field) => {
    const former = formerOf(field);
    if (former !== undefined) return [renamedColumn(table, former, field)];
    const own = known.get(field.name);
    const isPassedOn = fields.some((one) => formerOf(one) === own);
    return own === undefined || own.name === field.column || isPassedOn
      ? []
      : [renamedColumn(table, own, field)];
  });
}

function renamedColumn(table: string, former: Column, field: Field): RenameColumn {
  const to = { name: field.column, field: field.name };
  return { kind: "renameColumn", table, column: former.name, to };
}

export function reverseRenames({ tables, columns, values }: Renames, before: Schema): Renames {
  const formerName = new Map(tables.map(({ table, to }) => [to.name, table]));
  return {
    values: values.toReversed().map(({ table, column, value, to }) => {
      const moved = columns.find((one) => one.table === table && one.to.name === column);
      return {
        kind: "renameValue",
        table: formerName.get(table) ?? table,
        column: moved?.column ?? column,
        value: to,
        to: value,
      };
    }),
    tables: tables.map(({ table: name, to }) => {
      const { resource } = tableIn(before, name);
      return { kind: "renameTable", table: to.name, to: { name, resource } };
    }),
    columns: columns.map(({ table, column: name, to }) => {
      const former = formerName.get(table) ?? table;
      const { field } = columnIn(tableIn(before, former), name);
      if (field === null) throw new Error(`the column ${former}.${name} is not a field's`);
      return { kind: "renameColumn", table: former, column: to.name, to: { name, field } };
    }),
  };
}

import type { ChangeOf } from "../../../../runtime/values/schema/change-kinds.js";
import {
  createEntries,
  createIndex,
  entriesIndex,
} from "../../../../runtime/values/schema/definitions.js";
import {
  entriesName,
  indexName,
  linkName,
  primaryKeyName,
} from "../../../../runtime/values/schema/object-names.js";
import type { Entries, Table } from "../../../../runtime/values/schema/schema.js";
import { sqlIdentifier, sqlLiteral } from "../../../../runtime/values/sql/text.js";
import { type Step, transaction } from "../step.js";
import {
  addLink,
  alterTable,
  call,
  linkDefinition,
  linkTarget,
  renameConstraint,
  renameIndex,
} from "../table.js";

type SetEntries = ChangeOf<"setEntries">;

/** Returns the statement for a table that is not in use yet. */
export function newEntries({ table, column, to }: SetEntries): string {
  if (to === null) throw new Error("a new table keeps no entries that a change could remove");
  const kept = { table, column, of: to };
  return [...startEntries(kept), ...addTarget(kept)].join("\n\n");
}

/**
 * Starts or stops storing the entries of a list. Entries of existing lists are added without blocking writes; ids of
 * records that no longer exist are removed from the lists.
 */
export function setEntries(table: Table, { column, from, to }: SetEntries): readonly Step[] {
  const of = `${table.name}, ${column}`;
  const entries = entriesName(table.name, column);
  if (to === null) return [transaction(of, stopEntries({ table: table.name, column, of: from }))];
  if (from === null) {
    return [
      transaction(table.name, startEntries({ table: table.name, column, of: to })),
      transaction(of, addTarget({ table: table.name, column, of: to })),
      { kind: "batches", table: table.name, statement: fill(table.name, column, to) },
    ];
  }
  const name = linkName(entries, "target_id");
  return [
    transaction(of, [
      alterTable(
        entries,
        `drop constraint ${sqlIdentifier(name)}`,
        `add ${linkDefinition(name, "target_id", linkTo(to))}`,
      ),
      ...(refuses(from) && !refuses(to) ? [call("forbid_joint_deletes", sqlLiteral(entries))] : []),
      ...allowJointDeletes({ table: table.name, column, of: to }),
    ]),
  ];
}

/** Renames the entries of the columns after the table or one of them is renamed. */
export function followEntries(former: Table, table: Table): EntriesMoves {
  const moved = former.columns.flatMap((column, at): EntriesMove[] => {
    const now = table.columns[at];
    if (column.entries === undefined || now === undefined) return [];
    const isSame = former.name === table.name && column.name === now.name;
    const of = column.entries;
    return isSame ? [] : [{ former: [former.name, column.name], now: [table.name, now.name], of }];
  });
  return {
    before: moved.map(({ former: [name, column], of }) => leave({ table: name, column, of })),
    after: moved.flatMap(({ former: one, now: [name, column], of }) => [
      ...renameEntries(entriesName(...one), entriesName(name, column)),
      keep({ table: name, column, of }),
      ...allowJointDeletes({ table: name, column, of }),
    ]),
  };
}

interface EntriesMove {
  readonly former: readonly [table: string, column: string];
  readonly now: readonly [table: string, column: string];
  readonly of: Entries;
}

interface EntriesMoves {
  /** Statements to run before the rename. */
  readonly before: readonly string[];
  /** Statements to run after the rename. */
  readonly after: readonly string[];
}

/** A list and the target of its entries. */
interface Kept extends Pick<SetEntries, "table" | "column"> {
  readonly of: Entries | null;
}

function startEntries({ table, column, of }: Kept & { readonly of: Entries }): readonly string[] {
  const entries = entriesName(table, column);
  const own = { schema: "public", table, column: "id", onDelete: "cascade" } as const;
  return [
    createEntries(entries, of),
    addLink(entries, "record_id", own),
    createIndex(entries, entriesIndex),
    keep({ table, column, of }),
  ];
}

/** Returns the statements that stop storing the entries and drop them. */
function stopEntries(kept: Kept): readonly string[] {
  const { table, column } = kept;
  return [leave(kept), `drop table ${sqlIdentifier(entriesName(table, column))};`];
}

function keep({ table, column, of }: Kept): string {
  const procedure = of?.column === undefined ? "keep_entries" : "keep_files";
  return call(procedure, ...[table, column, entriesName(table, column)].map(sqlLiteral));
}

function leave({ table, column, of }: Kept): string {
  const procedure = of?.column === undefined ? "leave_entries" : "leave_list";
  return call(procedure, ...[table, entriesName(table, column)].map(sqlLiteral));
}

function addTarget(kept: Kept & { readonly of: Entries }): readonly string[] {
  const entries = entriesName(kept.table, kept.column);
  return [addLink(entries, "target_id", linkTo(kept.of)), ...allowJointDeletes(kept)];
}

/** Allows a statement to delete a record together with all records that list it. */
function allowJointDeletes({ table, column, of }: Kept): readonly string[] {
  if (of === null || !refuses(of)) return [];
  const names = [table, entriesName(table, column)].map(sqlLiteral);
  return [call("allow_joint_deletes", ...names)];
}

/** Whether a list prevents the deletion of its targets. */
function refuses({ column, onDelete }: Entries): boolean {
  return column === undefined && onDelete === "no action";
}

function linkTo({ schema, table, column = "id", onDelete }: Entries) {
  return { schema, table, column, onDelete };
}

/**
 * Adds the entries of existing lists. Rows are locked, so that a list that changes concurrently has the entries of its
 * last change.
 */
function fill(table: string, column: string, to: Entries): string {
  const listed = sqlIdentifier(column);
  const target = linkTarget(to);
  const { column: key } = linkTo(to);
  return [
    "with own as materialized (",
    `  select id, ${listed} as ids`,
    `  from ${sqlIdentifier(table)}`,
    `  where id >= $1 and id <= $2 and ${listed} <> '{}'`,
    "  order by id",
    "  for no key update",
    "),",
    "lost as (",
    `  update ${sqlIdentifier(table)} as one`,
    `  set ${listed} = array(`,
    "    select listed.id",
    "    from unnest(own.ids) with ordinality as listed (id, position)",
    `    join ${target} as target on target.${key} = listed.id`,
    "    order by position",
    "  )",
    "  from own",
    "  where one.id = own.id and exists (",
    "    select from unnest(own.ids) as listed (id)",
    `    where not exists (select from ${target} as target where target.${key} = listed.id)`,
    "  )",
    ")",
    `insert into ${sqlIdentifier(entriesName(table, column))} (record_id, target_id, position)`,
    "select own.id, listed.id, listed.position",
    "from own",
    "cross join unnest(own.ids) with ordinality as listed (id, position)",
    `join ${target} as target on target.${key} = listed.id`,
    "on conflict do nothing;",
  ].join("\n");
}

function renameEntries(from: string, to: string): readonly string[] {
  if (from === to) return [];
  return [
    alterTable(from, `rename to ${sqlIdentifier(to)}`),
    ...constraintNames(from).map((name, at) =>
      alterTable(to, renameConstraint(name, constraintNames(to)[at] ?? name)),
    ),
    renameIndex(indexName(from, entriesIndex), indexName(to, entriesIndex)),
    call("name_not_nulls", sqlLiteral(to)),
  ];
}

function constraintNames(entries: string): readonly string[] {
  return [primaryKeyName(entries), linkName(entries, "record_id"), linkName(entries, "target_id")];
}

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
  renameConstraint,
  renameIndex,
} from "../table.js";

type SetEntries = ChangeOf<"setEntries">;

/** The statements for a table that is not in use yet. */
export function newEntries({ table, column, to }: SetEntries): string {
  if (to === null) throw new Error("a new table has no entries that could go");
  return [...startEntries(table, column), addTarget(table, column, to)].join("\n\n");
}

/**
 * Starts or stops keeping the entries of a list. Entries of values that the list already has are added while others
 * write; ids of records that no longer exist leave the list.
 */
export function setEntries(table: Table, { column, from, to }: SetEntries): readonly Step[] {
  const of = `${table.name}, ${column}`;
  const entries = entriesName(table.name, column);
  if (to === null) return [transaction(of, stopEntries(table.name, column))];
  if (from === null) {
    return [
      transaction(table.name, startEntries(table.name, column)),
      transaction(of, [addTarget(table.name, column, to)]),
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
    ]),
  ];
}

/** The entries of the columns, which follow a rename of the table or of one of them. */
export function followEntries(former: Table, table: Table): EntriesMoves {
  const moved = former.columns.flatMap((column, at): EntriesMove[] => {
    const now = table.columns[at];
    if (column.entries === undefined || now === undefined) return [];
    const isSame = former.name === table.name && column.name === now.name;
    return isSame ? [] : [{ former: [former.name, column.name], now: [table.name, now.name] }];
  });
  return {
    before: moved.map(({ former: [name, column] }) => leave(name, column)),
    after: moved.flatMap(({ former: one, now }) => [
      ...renameEntries(entriesName(...one), entriesName(...now)),
      keep(...now),
    ]),
  };
}

interface EntriesMove {
  readonly former: readonly [table: string, column: string];
  readonly now: readonly [table: string, column: string];
}

interface EntriesMoves {
  /** Statements before the rename. */
  readonly before: readonly string[];
  /** Statements after it. */
  readonly after: readonly string[];
}

function startEntries(table: string, column: string): readonly string[] {
  const entries = entriesName(table, column);
  const own = { schema: "public", table, column: "id", onDelete: "cascade" } as const;
  return [
    createEntries(entries),
    addLink(entries, "record_id", own),
    createIndex(entries, entriesIndex),
    keep(table, column),
  ];
}

/** Also drops the entries. */
export function stopEntries(table: string, column: string): readonly string[] {
  return [leave(table, column), `drop table ${sqlIdentifier(entriesName(table, column))};`];
}

function keep(table: string, column: string): string {
  return call("keep_entries", ...[table, column, entriesName(table, column)].map(sqlLiteral));
}

function leave(table: string, column: string): string {
  return call("leave_entries", ...[table, entriesName(table, column)].map(sqlLiteral));
}

function addTarget(table: string, column: string, to: Entries): string {
  return addLink(entriesName(table, column), "target_id", linkTo(to));
}

function linkTo({ schema, table, onDelete }: Entries) {
  return { schema, table, column: "id", onDelete };
}

/** The rows are locked: a list that is changed at the same time has the entries of its last change. */
function fill(table: string, column: string, to: Entries): string {
  const listed = sqlIdentifier(column);
  const target = `${sqlIdentifier(to.schema)}.${sqlIdentifier(to.table)}`;
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
    `    join ${target} as target on target.id = listed.id`,
    "    order by position",
    "  )",
    "  from own",
    "  where one.id = own.id and exists (",
    "    select from unnest(own.ids) as listed (id)",
    `    where not exists (select from ${target} as target where target.id = listed.id)`,
    "  )",
    ")",
    `insert into ${sqlIdentifier(entriesName(table, column))} (record_id, target_id, position)`,
    "select own.id, listed.id, listed.position",
    "from own",
    "cross join unnest(own.ids) with ordinality as listed (id, position)",
    `join ${target} as target on target.id = listed.id`,
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
  ];
}

function constraintNames(entries: string): readonly string[] {
  return [primaryKeyName(entries), linkName(entries, "record_id"), linkName(entries, "target_id")];
}

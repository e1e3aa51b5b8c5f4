import type { Change, ChangeOf } from "../../../../runtime/values/schema/change-kinds.js";
import { entriesName, objectName } from "../../../../runtime/values/schema/object-names.js";
import { sqlIdentifier, sqlLiteral } from "../../../../runtime/values/sql/text.js";
import { type Step, transaction } from "../step.js";
import { call } from "../table.js";

type MovePairs = ChangeOf<"movePairs">;

/**
 * Converts rows to entries, or entries to rows: in batches, and then those written in the meantime. After that, changes
 * of the source are rejected, as they would be lost.
 */
export function movePairs(change: MovePairs): readonly Step[] {
  return change.into === "entries" ? intoEntries(change) : intoRows(change);
}

interface Names {
  readonly entries: string;
  readonly pairs: string;
  readonly record: string;
  readonly target: string;
}

function namesOf({ table, column, pairs }: MovePairs): Names {
  return {
    entries: sqlIdentifier(entriesName(table, column)),
    pairs: sqlIdentifier(pairs.table),
    record: sqlIdentifier(pairs.record),
    target: sqlIdentifier(pairs.target),
  };
}

/** Stops rejecting changes of a list whose entries have become rows, before its column is dropped. */
export function releaseMoved(
  { table, column }: ChangeOf<"dropColumn">,
  changes: readonly Change[],
): readonly string[] {
  const isMoved = changes.some(
    (change) =>
      change.kind === "movePairs" &&
      change.into === "rows" &&
      change.table === table &&
      change.column === column,
  );
  const refusal = sqlIdentifier(objectName(table, column, "moved"));
  return isMoved ? [`drop trigger ${refusal} on ${sqlIdentifier(table)};`] : [];
}

/** Adds each pair once, in the order of creation. */
function intoEntries(change: MovePairs): readonly Step[] {
  const { table, column, pairs } = change;
  const names = namesOf(change);
  return [
    {
      kind: "batches",
      table,
      statement: `${entriesOf(names, [`where ${names.record} >= $1 and ${names.record} <= $2`])};`,
    },
    transaction(`${table}, ${column}, ${pairs.table}`, [
      `lock table ${names.pairs} in share row exclusive mode;`,
      [
        `delete from ${names.entries} as entry`,
        "where not exists (",
        `  select from ${names.pairs} as pair`,
        `  where pair.${names.record} = entry.record_id and pair.${names.target} = entry.target_id`,
        ");",
      ].join("\n"),
      `${entriesOf(names, [
        "where not exists (",
        `  select from ${names.entries} as entry`,
        `  where entry.record_id = pair.${names.record} and entry.target_id = pair.${names.target}`,
        ")",
      ])};`,
      call(
        "move_trashed_pairs",
        ...[pairs.table, pairs.record, pairs.target, table, column].map(sqlLiteral),
      ),
      ...refuseAll(pairs.table),
    ]),
  ];
}

/** Rejects changes of rows in a table that is about to be dropped. */
function refuseAll(table: string): readonly string[] {
  const on = sqlIdentifier(table);
  const refuse = "execute function service.refuse_moved();";
  return [
    `create trigger ${sqlIdentifier(objectName(table, "moved"))} before insert or update or delete on ${on}\n  for each row ${refuse}`,
    `create trigger ${sqlIdentifier(objectName(table, "moved", "all"))} before truncate on ${on}\n  for each statement ${refuse}`,
  ];
}

/** Rejects changes of a list in a table that is not dropped. */
function refuseLists(table: string, column: string): string {
  const name = sqlIdentifier(objectName(table, column, "moved"));
  return [
    `create trigger ${name} before insert or update on ${sqlIdentifier(table)}`,
    `  for each row execute function service.refuse_moved(${sqlLiteral(column)});`,
  ].join("\n");
}

/** Returns SQL that appends new entries after existing ones. */
function entriesOf({ entries, pairs, record, target }: Names, where: readonly string[]): string {
  return [
    `insert into ${entries} (record_id, target_id, position)`,
    "select record_id, target_id, coalesce(last, 0) + row_number() over (",
    "  partition by record_id order by created_at, id",
    ")",
    "from (",
    `  select distinct on (${record}, ${target})`,
    `    ${record} as record_id, ${target} as target_id, created_at, id`,
    `  from ${pairs} as pair`,
    ...where.map((line) => `  ${line}`),
    `  order by ${record}, ${target}, created_at, id`,
    ") as pair",
    "left join lateral (",
    `  select max(position) as last from ${entries} as entry where entry.record_id = pair.record_id`,
    ") as there on true",
    "on conflict do nothing",
  ].join("\n");
}

function intoRows(change: MovePairs): readonly Step[] {
  const { table, column } = change;
  const names = namesOf(change);
  const { entries, pairs, record, target } = names;
  const moved = [table, column, change.pairs.table, change.pairs.record, change.pairs.target].map(
    sqlLiteral,
  );
  return [
    {
      kind: "batches",
      table,
      statement: `${rowsOf(names, ["entry.record_id >= $1 and entry.record_id <= $2"])};`,
    },
    // Must precede the lock on the entries: a writer of a list locks its record first.
    transaction(table, [refuseLists(table, column)]),
    // Separate from the drop of the entries, which locks their records.
    transaction(`${table}, ${column}, ${change.pairs.table}`, [
      `lock table ${entries} in share row exclusive mode;`,
      [
        `delete from ${pairs} as pair`,
        "where not exists (",
        `  select from ${entries} as entry`,
        `  where entry.record_id = pair.${record} and entry.target_id = pair.${target}`,
        ");",
      ].join("\n"),
      `${rowsOf(names, [])};`,
      call("move_trashed_entries", ...moved),
      ...refuseAll(entriesName(table, column)),
    ]),
  ];
}

/** Returns SQL for rows whose creation times reflect the order of the list. */
function rowsOf({ entries, pairs, record, target }: Names, where: readonly string[]): string {
  const conditions = [
    ...where,
    `not exists (select from ${pairs} as pair where pair.${record} = entry.record_id and pair.${target} = entry.target_id)`,
  ];
  return [
    `insert into ${pairs} (id, ${record}, ${target}, created_at, updated_at)`,
    "select service.uuid_v7(), record_id, target_id, created, created",
    "from (",
    "  select record_id, target_id, now() - interval '1 millisecond' * (",
    "    count(*) over (partition by record_id) - row_number() over (partition by record_id order by position)",
    "  ) as created",
    `  from ${entries} as entry`,
    `  where ${conditions.join("\n    and ")}`,
    "  order by record_id, position",
    ") as pair",
  ].join("\n");
}

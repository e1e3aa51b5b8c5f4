import type { ChangeOf } from "../../../../runtime/values/schema/change-kinds.js";
import { entriesName, objectName } from "../../../../runtime/values/schema/object-names.js";
import { sqlIdentifier } from "../../../../runtime/values/sql/text.js";
import { type Step, transaction } from "../step.js";
import { alterTable } from "../table.js";

type MovePairs = ChangeOf<"movePairs">;

/** Makes entries of rows, or rows of entries: in batches, and at last what was written in the meantime. */
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

/** In the order of creation, each pair once. Afterwards the table refuses further rows, which would be lost. */
function intoEntries(change: MovePairs): readonly Step[] {
  const { table, column, pairs } = change;
  const names = namesOf(change);
  const refusal = sqlIdentifier(objectName(pairs.table, "moved"));
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
      alterTable(pairs.table, `add constraint ${refusal} check (false) not valid`),
    ]),
  ];
}

/** New entries follow those that there are. */
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
  return [
    {
      kind: "batches",
      table,
      statement: `${rowsOf(names, ["entry.record_id >= $1 and entry.record_id <= $2"])};`,
    },
    transaction(`${table}, ${column}`, [
      `lock table ${entries} in share row exclusive mode;`,
      [
        `delete from ${pairs} as pair`,
        "where not exists (",
        `  select from ${entries} as entry`,
        `  where entry.record_id = pair.${record} and entry.target_id = pair.${target}`,
        ");",
      ].join("\n"),
      `${rowsOf(names, [])};`,
    ]),
  ];
}

/** The times of creation have the order of the list. */
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

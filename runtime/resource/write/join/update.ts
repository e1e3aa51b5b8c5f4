import { tagSql, versionSql } from "../../record/tag.js";
import { wholeView } from "../../rights/view.js";
import { isLogged, writerOfEach } from "../../rights/writer.js";
import { idColumn, idShown, idSqlType, sqlTypeOf } from "../../table/column-keys.js";
import { columnOf, type Table } from "../../table/table.js";
import { untaken } from "../../table/uniques.js";
import { assignments } from "../statements.js";
import { appTriggerSql } from "./app-triggers.js";
import {
  type Joint,
  type JointRow,
  lockLimit,
  type Outcome,
  type Sent,
  settingsSql,
} from "./joint.js";

/**
 * Changes the same fields of several records, each with its own values and precondition. Records locked by other
 * transactions are skipped, so that they do not delay the others. The rest is locked in the order of ids, so that two
 * such statements cannot deadlock. Missing records, and those that would violate a unique constraint, are skipped too.
 *
 * Like `insertSeveral`, it refuses tables whose updates run app triggers, and an error rolls back all changes. `record`
 * is SQL for the part of each record that is returned.
 */
export function updateSeveral(
  table: Table<never>,
  keys: readonly string[],
  { record }: { readonly record: string } = wholeView(table),
): Joint {
  const view = wholeView(table);
  const { name } = view;
  const id = idColumn(view);
  const writer = isLogged(table) ? "$4" : null;
  const columns = keys.flatMap((key) => columnOf(table, key) ?? []);
  const types = columns.map((column, at) => `_${at} ${sqlTypeOf(column)}`);
  const valueAt = (at: number) => `_sent._${at}`;
  const conditions = [
    `(_sent._tags is null or ${tagSql(view)} = any(_sent._tags))`,
    ...untaken(table, keys, { id: "_sent._id", valueAt }),
  ];
  // The condition at the end is evaluated before the update begins. The ids are an array, for which PostgreSQL
  // estimates ten elements and uses the primary key; as a parameter it would be planned for each statement.
  const text = `
    with
    _sent as materialized (
      select _sent.*
      from
        (${settingsSql("$3", writer)}) as _settings,
        json_to_recordset($1) as _sent (_id ${idSqlType(view)}, _tags text[], ${types.join(", ")})
    ),
    _locked as (
      select ${name}.${id} as _locked_id
      from ${name}
      where ${name}.${id} = any(array(select _id from _sent))
      order by ${name}.${id}
      for no key update skip locked
    ),
    _updated as (
      update ${name}
      set ${assignments(table, keys, valueAt)}
      from _locked, _sent
      where ${name}.${id} = _locked_id and _sent._id = ${name}.${id} and ${conditions.join(" and ")}
      returning ${record} as _json, ${versionSql(view)} as _version, _sent._id as _updated_id
    )
    select
      ${idShown(view, "_sent._id")} as id,
      _json as json,
      _version as version,
      _locked_id is null and exists (select from ${name} where ${name}.${id} = _sent._id) as locked
    from _sent
      left join _locked on _locked_id = _sent._id
      left join _updated on _updated_id = _sent._id
    where ${appTriggerSql("$2::text::regclass", "update")}::boolean is null`;
  return {
    name: `update ${keys.join(" ")}`,
    event: "update",
    text,
    parameters: (sent, lockMs) => {
      const rows = sent.map(({ id, values, ifMatch }) => ({
        _id: id,
        _tags: ifMatch,
        ...Object.fromEntries(keys.map((key, at) => [`_${at}`, values[key]])),
      }));
      return [
        JSON.stringify(rows),
        name,
        lockLimit(lockMs),
        ...(writer === null ? [] : [writerOfEach(sent)]),
      ];
    },
    outcomes: (sent, rows) => {
      const byId = new Map(rows.map((row) => [row.id, row]));
      return sent.map((one) => outcomeOf(one, byId.get(one.id)));
    },
  };
}

function outcomeOf({ id }: Sent, row: JointRow | undefined): Outcome {
  if (row === undefined) throw new Error("A change returned no record");
  const { json, version, locked } = row;
  if (json !== null && version !== null) return { id, record: { json, version } };
  return locked ? "locked" : "refused";
}

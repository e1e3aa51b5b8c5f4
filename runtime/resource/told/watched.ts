import type { Caller } from "../../own-code/index.js";
import { predicateSql } from "../query/predicate.js";
import { Reach } from "../query/reach.js";
import { InvalidWhere, readOwnWhere } from "../query/where.js";
import { readable } from "../rights/readable.js";
import { rowsSeen, type View } from "../rights/view.js";
import { allMembers, type Member, readShownMembers, recordOf } from "../table/record-json.js";
import { columnOf, type Table } from "../table/table.js";
import { type Moves, movesOf } from "./moves.js";

/** What somebody wants to hear of the changes of a resource, in plain values. */
export interface WatchedPart {
  /** A JSON value; undefined for all records. */
  readonly where?: unknown;
  readonly fields?: readonly string[] | undefined;
}

/** The statement that judges changes for all callers of a role who want to hear the same. */
export interface Watched {
  readonly table: Table<never>;
  /** `$1` are the ids of the records, `$2` and `$3` the numbers of each one's first and last change, `$4` the resource. */
  readonly text: string;
  /** The values after these. */
  readonly values: readonly unknown[];
  /** Whether the rule admits the caller as the owner only, so that the statement is the account's. */
  readonly isOwn: boolean;
  /** What moves rights without a change of a record; their value after `$1` is the account. */
  readonly moves: readonly Moves[];
}

/** The keys of what is wrong. */
export type WatchIssues = (message: string) => void;

/** Bytes of a record's JSON beyond which only its id is told. */
const maxRecordBytes = 64 * 1024;

/** The statement for a caller; reports what is wrong with the part. */
export function watchTable(
  table: Table<never>,
  caller: Caller,
  { where, fields }: WatchedPart,
  reject: WatchIssues,
): Watched {
  const view = readable(table, "list", caller.role);
  const reach = new Reach(caller);
  reach.values.push(null, null, null, null);
  const issues = { reject: (_param: string, message: string) => reject(message) };
  const shown = readShownMembers(view, fields, issues) ?? allMembers(view);
  const seen = [rowsSeen(view, reach.account)];
  if (where !== undefined) {
    try {
      seen.push(`(${predicateSql(readOwnWhere(view, where, reach), reach, view.name)})`);
    } catch (error) {
      if (!(error instanceof InvalidWhere)) throw error;
      reject(error.message);
    }
  }
  const isOwn = view.own !== undefined;
  return {
    table,
    text: textOf(view, shown, seen.join(" and ")),
    values: reach.values.slice(4),
    isOwn,
    moves: isOwn ? movesOf(table, caller.role, () => "$2") : [],
  };
}

/** What a statement says of one record. */
export interface ToldRow {
  readonly id: string;
  /** Whether the caller saw it before the changes, and sees it now. */
  readonly before: boolean;
  readonly after: boolean;
  /** The record as it is now; null where it is not seen, or is too large. */
  readonly json: string | null;
  /** The keys of what is shown that differ; `updatedAt` may be among them. */
  readonly changed: readonly string[];
}

/** Rows of the inbox that are looked at: more wait only after a large import, and are told twice at worst. */
const maxInbox = 2_000;

/**
 * The row before the changes is in the log. The row after them is the one before the record's next change, which may wait
 * for its number, or else the stored one. Details of files are not compared: they belong to a field's value.
 */
function textOf(view: View, shown: readonly Member[], seen: string): string {
  const { name } = view;
  const compared = shown.filter(({ key }) => key !== "id" && columnOf(view, key) !== null);
  const values = compared.map(({ value }, at) => `, (${value})::text as _${at}`).join("");
  const changed = compared.map(
    ({ key }, at) => `case when _after._${at} is distinct from _before._${at} then '${key}' end`,
  );
  return `
    with _inbox as materialized (
      select distinct on (id) id, before
      from (
        select seq, id, before from service.changes_new where resource = $4
        order by seq limit ${maxInbox}
      ) as _first
      order by id, seq
    )
    select
      _changed.id::text as id,
      _before._is is not null as before,
      _after._is is not null as after,
      _after._json as json,
      array_remove(array[${changed.join(", ")}]::text[], null) as changed
    from unnest($1::uuid[], $2::bigint[], $3::bigint[]) as _changed (id, first, last)
    left join lateral (
      select true as _is, before
      from service.changes as _log
      where _log.resource = $4 and _log.id = _changed.id and _log.n > _changed.last
      order by _log.n
      limit 1
    ) as _later on true
    left join _inbox on _later._is is null and _inbox.id = _changed.id
    left join lateral (
      select _now.*, case when octet_length(_record) <= ${maxRecordBytes} then _record end as _json
      from (
        select true as _is, ${recordOf(shown)} as _record${values}
        from (
          select ${name}.* from ${name}
          where ${name}.id = _changed.id and _later._is is null and _inbox.id is null
          union all
          select _row.*
          from jsonb_populate_record(null::${name}, coalesce(_later.before, _inbox.before)) as _row
          where coalesce(_later.before, _inbox.before) is not null
        ) as ${name}
        where ${seen}
        offset 0
      ) as _now
    ) as _after on true
    left join lateral (
      select true as _is${values}
      from (
        select _row.*
        from service.changes as _log
        cross join lateral jsonb_populate_record(null::${name}, _log.before) as _row
        where _log.n = _changed.first and _log.before is not null
      ) as ${name}
      where ${seen}
    ) as _before on true`;
}

/** Whether a JSON value has the form of a part; what it names is another matter. */
export function isWatchedPart(json: unknown): json is WatchedPart {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return false;
  const { where: _, fields, ...others } = json as Record<string, unknown>;
  const isList =
    fields === undefined ||
    (Array.isArray(fields) && fields.every((field) => typeof field === "string"));
  return isList && Object.keys(others).length === 0;
}

import type { Caller } from "../../own-code/index.js";
import { predicateSql } from "../query/predicate.js";
import { Reach } from "../query/reach.js";
import { InvalidWhere, readOwnWhere } from "../query/where.js";
import { readable } from "../rights/readable.js";
import { rowsSeen, type View } from "../rights/view.js";
import { allMembers, type Member, readShownMembers, recordOf } from "../table/record-json.js";
import { columnOf, type Table } from "../table/table.js";
import { type OwnershipCheck, ownershipChecksOf } from "./ownership-checks.js";

/** Which records of a resource, and which of their fields, a client watches. */
export interface WatchOptions {
  /** A JSON value; undefined for all records. */
  readonly where?: unknown;
  readonly fields?: readonly string[] | undefined;
}

/** The statement that reads changes for all callers of a role with the same options. */
export interface Watched {
  readonly table: Table<never>;
  /** `$1` are the ids of the records, `$2` and `$3` the numbers of each one's first and last change, `$4` the resource. */
  readonly text: string;
  /** The values after these. */
  readonly values: readonly unknown[];
  /** Whether the rule allows the caller own records only: then the statement is for that account alone. */
  readonly isOwn: boolean;
  /** Whether other tables have changed who owns a record; `$2` of these statements is the account. */
  readonly ownershipChecks: readonly OwnershipCheck[];
}

/** Called with each mistake of the options. */
export type WatchIssues = (message: string) => void;

/** Bytes of a record's JSON beyond which only its id is sent. */
const maxRecordBytes = 64 * 1024;

/** The statement for a caller; reports the mistakes of the options. */
export function watchTable(
  table: Table<never>,
  caller: Caller,
  { where, fields }: WatchOptions,
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
    ownershipChecks: isOwn ? ownershipChecksOf(table, caller.role, () => "$2") : [],
  };
}

/** What the statement returns for one record. */
export interface WatchedRow {
  readonly id: string;
  /** Whether the caller saw it before the changes, and sees it now. */
  readonly before: boolean;
  readonly after: boolean;
  /** The record as it is now; null where it is not seen, or is too large. */
  readonly json: string | null;
  /** The keys of what is shown that differ; `updatedAt` may be among them. */
  readonly changed: readonly string[];
}

/** Rows of the inbox that are read: more wait only after a large import, and are then sent twice at worst. */
const maxInbox = 2_000;

/**
 * The row before the changes is in the log. The row after them is the row before the record's next change, numbered or
 * not; without a next change it is the stored row. Details of files are not compared: they belong to a field's value.
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

/** Whether a JSON value has the form of options; `watchTable` checks the names in them. */
export function isWatchOptions(json: unknown): json is WatchOptions {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return false;
  const { where: _, fields, ...others } = json as Record<string, unknown>;
  const isList =
    fields === undefined ||
    (Array.isArray(fields) && fields.every((field) => typeof field === "string"));
  return isList && Object.keys(others).length === 0;
}

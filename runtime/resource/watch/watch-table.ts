import type { Caller } from "../../own-code/index.js";
import { substituteOf } from "../../values/sql/table-name.js";
import { predicateSql } from "../query/predicate.js";
import { Reach } from "../query/reach.js";
import { InvalidWhere, readOwnWhere } from "../query/where.js";
import { readable } from "../rights/readable.js";
import { rowsSeen, type View } from "../rights/view.js";
import { hasUuids, idColumn } from "../table/column-keys.js";
import {
  allMembers,
  fileOf,
  type Member,
  readShownMembers,
  recordOf,
} from "../table/record-json.js";
import { type Column, columnOf, type Table } from "../table/table.js";
import { changedRows } from "./changed-rows.js";
import { type OwnedRights, ownedRights, type PathMoves, pathMoves } from "./owned-rights.js";

/** Which records of a resource, and which of their fields, a client watches. */
export interface WatchOptions {
  /** A filter as a JSON value; undefined for all records. */
  readonly where?: unknown;
  readonly fields?: readonly string[] | undefined;
}

/** The statement that reads changes, shared by all callers with the same role and options. */
export interface Watched {
  readonly table: Table<never>;
  /** Equal for all callers that share the statement. */
  readonly key: string;
  /**
   * `$1` are the ids of the records, `$2` and `$3` the numbers of each record's first and last
   * change, `$4` the resource.
   */
  readonly text: string;
  /** The parameters after `$4`. */
  readonly values: readonly unknown[];
  /** Set if the caller may list only its own records: then the statement serves only that account. Otherwise null. */
  readonly own: OwnedRights | null;
  /** Other tables that conditions refer to, whose changes affect what the caller may list. */
  readonly paths: readonly PathMoves[];
}

/** Called for each mistake in the options. */
export type WatchIssues = (message: string) => void;

/** Maximum size of a record's JSON in bytes; of larger records only the id is sent. */
const maxRecordBytes = 64 * 1024;

/** Returns the statement for a caller; reports mistakes in the options. */
export function watchTable(
  { table, where, fields }: WatchOptions & { readonly table: Table<never> },
  caller: Caller,
  reject: WatchIssues,
): Watched {
  const view = readable(table, "list", caller.role);
  const reach = new Reach(caller, { isOfChanges: true });
  reach.values.push(null, null, null, null);
  const shown = readShownMembers(view, fields, reject) ?? allMembers(view);
  const seen = [rowsSeen(view, reach.account)];
  if (where !== undefined) {
    try {
      seen.push(`(${predicateSql(readOwnWhere(view, where, reach), reach, view.name)})`);
    } catch (error) {
      if (!(error instanceof InvalidWhere)) throw error;
      reject(error.message);
    }
  }
  const { role, accountId } = caller;
  const own = ownedRights(table, "list", role);
  return {
    table,
    key: JSON.stringify([table.resource, role, own && accountId, where, fields]),
    text: textOf(view, shown, seen.join(" and ")),
    values: reach.values.slice(4),
    own,
    paths: pathMoves(table, "list", role),
  };
}

/** The row that the statement returns for each record. */
export interface WatchedRow {
  /** The id in the log. */
  readonly id: string;
  /** The record's id, if it is not a UUID. */
  readonly key?: string;
  /**
   * Whether the caller could see the record before the first change and between the changes, and whether it can now.
   */
  readonly before: boolean;
  readonly after: boolean;
  /** The current record; null if the caller cannot see it, or if it is too large. */
  readonly json: string | null;
  /** The keys of shown members whose values changed; may include `updatedAt`. */
  readonly changed: readonly string[];
  /** Whether the record is now the same for the caller as before, but was visible or had other values in between. */
  readonly differed: boolean;
  /** Total bytes of JSON in the result; above the limit, `json` is null in every row. */
  readonly bytes: number;
}

/** Maximum number of bytes of JSON that the statement returns, unless it is about a single record. */
export const maxWatchedBytes = 256 * 1024;

function textOf(view: View, shown: readonly Member[], sees: string): string {
  const { name } = view;
  const { alias, on } = substituteOf(name);
  const seen = on(sees);
  const { inbox, records, before, after, between } = changedRows(view.table);
  const compared = comparedIn(view, shown);
  // The column's collation might treat different texts as equal.
  const texts = compared.map(({ value }) => `(${on(value)})::text collate "C"`);
  const values = texts.map((text, at) => `, ${text} as _${at}`).join("");
  const now = `array[${compared.map((_, at) => `_after._${at}`).join(", ")}]::text[]`;
  const changed = compared.map(({ key }, at) => {
    const former = `case when _between._hidden is not true then _before._${at} end`;
    return `case when _after._${at} is distinct from ${former} then '${key}' end`;
  });
  const bytes = "coalesce(sum(octet_length(_after._json)) over (), 0)";
  return `
    with ${inbox}
    select
      _changed.id::text as id,${hasUuids(view.table) ? "" : "\n      _changed.key,"}
      _before._is is not null and _between._hidden is not true as before,
      _after._is is not null as after,
      case when ${bytes} <= ${maxWatchedBytes} then _after._json end as json,
      ${bytes}::int as bytes,
      array_remove(array[${changed.join(", ")}]::text[], null) as changed,
      case when _after._is is null then _between._shown else _between._differs end is true as differed
    from ${records}
    left join lateral (
      select _now.*, case when octet_length(_record) <= ${maxRecordBytes} then _record end as _json
      from (
        select true as _is, ${on(recordOf(shown))} as _record${values}
        from (
          ${after}
        ) as ${alias}
        where ${seen}
        offset 0
      ) as _now
    ) as _after on true
    left join lateral (
      select true as _is${values}
      from (
        ${before}
      ) as ${alias}
      where ${seen}
    ) as _before on true
    left join lateral (
      select
        bool_or(_is) as _shown,
        bool_or(not _is) as _hidden,
        bool_or(_values is distinct from ${now}) as _differs
      from (
        select
          ${alias}.${idColumn(view.table)} is not null and (${seen}) is true as _is,
          array[${texts.join(", ")}]::text[] as _values
        from (
          ${between}
        ) as ${alias}
        where _changed.first < _changed.last and (_before._is is null) = (_after._is is null)
      ) as _each
    ) as _between on true`;
}

/**
 * The fields whose values are compared. Details of a file are compared by the file's field, even if it is not shown.
 */
function comparedIn(view: View, shown: readonly Member[]): readonly Member[] {
  const keys = new Set(shown.map(({ key }) => key));
  return shown.flatMap((member): readonly Member[] => {
    if (member.key === "id") return [];
    const column = columnOf(view, member.key);
    if (column?.computed !== undefined) return [{ key: member.key, value: inputsOf(view, column) }];
    if (column !== null) return [member];
    const file = fileOf(view, member.key);
    if (file === null || keys.has(file.key)) return [];
    return [{ key: file.key, value: file.column.name }];
  });
}

/** SQL for a row of the columns that a computed field reads: the field changes only if one of them does. */
function inputsOf({ table }: View, { computed = [] }: Column): string {
  const names = computed.flatMap((key) => columnOf(table, key)?.name ?? []);
  return `row(${names.join(", ")})`;
}

/** Whether a JSON value has the structure of options; `watchTable` checks the field names. */
export function isWatchOptions(json: unknown): json is WatchOptions {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return false;
  const { where: _, fields, ...others } = json as Record<string, unknown>;
  const isList =
    fields === undefined ||
    (Array.isArray(fields) && fields.every((field) => typeof field === "string"));
  return isList && Object.keys(others).length === 0;
}

import { whereOf } from "../list/listing.js";
import type { Value } from "../query/links/values.js";
import { sortKey } from "../query/order.js";
import { maxPageBytes } from "../record/page-text.js";
import { kindOf } from "../table/kinds/kinds.js";
import { localTime } from "../time-zone/local-time.js";
import { distinctColumn, groupJson } from "./aggregate-json.js";
import type { AggregateQuery } from "./aggregate-query.js";
import type { Group } from "./group.js";
import { groupColumn } from "./group-records.js";
import { aggregatesOf, columnsOf, meanOf, totalOf } from "./measures.js";
import { startOf, withinPeriods } from "./period.js";

/**
 * Builds one statement that returns the groups as JSON text in `data`, and in `more` whether there are further groups;
 * `is_long` replaces a text that is too long. The statement builds the JSON, so that PostgreSQL's exact numbers stay
 * exact and the number of keys is unlimited.
 */
export function aggregateStatement(query: AggregateQuery): string {
  const { groups, measures, distinct, from, perPage, conditions } = query;
  const keys = groups.map((group) => groupKey(group, query));
  const grouped = keys.map((key, at) => `${asDate(key, groups[at])} as ${groupColumn(at)}`);
  const different = distinct.map((value, at) => `${countOf(value)} as ${distinctColumn(at)}`);
  const counted = columnsOf(measures).flatMap((column, at) =>
    aggregatesOf(
      measures.filter((one) => one.column === column),
      at,
    ),
  );
  return `
    with
      _groups as (
        select ${[...grouped, "count(*) as _count", ...counted, ...different].join(",\n          ")}
        from ${from}
        ${whereOf(conditions)}
        ${keys.length === 0 ? "" : `group by ${keys.join(", ")}`}
      ),
      _page as (
        select row_number() over () as _at, _rows.*
        from (select * from _groups ${orderOf(query)} limit ${perPage + 1}) as _rows
      )
    select
      case when octet_length(data) <= ${maxPageBytes} then data end as data,
      (octet_length(data) > ${maxPageBytes})::text as is_long,
      more
    from (
      select
        string_agg(${groupJson(query)}, ',' order by _at) filter (where _at <= ${perPage}) as data,
        (count(*) > ${perPage})::text as more
      from _page
    ) as _answer`;
}

function countOf({ sql, column }: Value): string {
  return `count(distinct ${kindOf(column).distinct(sql)})`;
}

function groupKey({ sql, column, unit }: Group, { timezone, times }: AggregateQuery) {
  if (unit === null) return sql;
  const isDay = kindOf(column).time === "day";
  const value = times === "any" ? withinPeriods(sql, isDay ? "date" : "timestamptz") : sql;
  return startOf(unit, isDay ? `${value}::timestamp` : localTime(value, timezone));
}

/** A period's first day. It is converted per group; converting each row would take a quarter longer. */
function asDate(key: string, group: Group | undefined): string {
  return group?.unit ? `${key}::date` : key;
}

function orderOf({ groups, measures, sort }: AggregateQuery): string {
  const columns = columnsOf(measures);
  const keys = groups.map(({ column }, at) => sortKey(column, groupColumn(at)));
  const parts = keys.map((key) => `${key} nulls last`);
  if (sort === null) return parts.length === 0 ? "" : `order by ${parts.join(", ")}`;
  const { by, descending } = sort;
  const direction = descending ? "desc nulls last" : "asc nulls last";
  return `order by ${[`${first()} ${direction}`, ...parts].join(", ")}`;

  function first(): string {
    if (by === "count") return "_count";
    if ("unit" in by) return keys[groups.indexOf(by)] ?? "";
    const at = columns.indexOf(by.column);
    return by.calculation === "sum" ? totalOf(by.column, at) : meanOf(by.column, at);
  }
}

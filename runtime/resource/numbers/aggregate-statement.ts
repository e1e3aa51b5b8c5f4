import { whereOf } from "../list/listing.js";
import { sortKey } from "../query/order.js";
import type { View } from "../rights/view.js";
import type { Column } from "../table/table.js";
import { localTime } from "../time-zone/local-time.js";
import type { AggregateQuery, Calculation, Group, Measure } from "./aggregate-query.js";

/**
 * One statement returns the groups as JSON text in `data`, and in `more` whether there are others. It builds
 * the JSON itself, so that PostgreSQL's exact numbers stay exact and the number of keys has no limit.
 */
export function aggregateStatement(view: View, query: AggregateQuery): string {
  const { groups, measures, perPage, conditions } = query;
  const keys = groups.map((group) => groupKey(group, query));
  const grouped = keys.map((key, at) => `${asDate(key, groups[at])} as _by_${at}`);
  const counted = columnsOf(measures).flatMap((column, at) =>
    aggregatesOf(
      measures.filter((one) => one.column === column),
      at,
    ),
  );
  return `
    with
      _groups as (
        select ${[...grouped, "count(*) as _count", ...counted].join(",\n          ")}
        from ${view.name}
        ${whereOf(conditions)}
        ${keys.length === 0 ? "" : `group by ${keys.join(", ")}`}
      ),
      _page as (
        select row_number() over () as _at, _rows.*
        from (select * from _groups ${orderOf(query)} limit ${perPage + 1}) as _rows
      )
    select
      string_agg(${groupJson(query)}, ',' order by _at) filter (where _at <= ${perPage}) as data,
      (count(*) > ${perPage})::text as more
    from _page`;
}

/** The measured columns, each once. */
function columnsOf(measures: readonly Measure[]): readonly Column[] {
  return [...new Set(measures.map(({ column }) => column))];
}

/** What rows are grouped by. */
function groupKey({ column: { name, kind }, unit }: Group, { timezone }: AggregateQuery) {
  if (unit === null) return name;
  const local = kind === "date" ? `${name}::timestamp` : localTime(name, timezone);
  return `date_trunc('${unit}', ${local})`;
}

/** A period's first day. It is converted for each group, not for each row, which would take a quarter longer. */
function asDate(key: string, group: Group | undefined): string {
  return group?.unit ? `${key}::date` : key;
}

/** Values beyond this are added up separately, so that no sum becomes infinite. */
const huge = "1e290";
/** 2^60: more rows than any table has. */
const scale = "1152921504606846976";

/** The aggregates of one column, from which `totalOf` makes the sum and `meanOf` the average. */
function aggregatesOf(measures: readonly Measure[], at: number): readonly string[] {
  return [...new Set(measures.flatMap((measure) => aggregatesFor(measure, at)))];
}

function aggregatesFor({ calculation, column }: Measure, at: number): readonly string[] {
  const { name, kind } = column;
  if (calculation === "min" || calculation === "max") {
    return [`${calculation}(${name}) as _${calculation}_${at}`];
  }
  const count = calculation === "avg" ? [`count(${name}) as _values_${at}`] : [];
  if (kind !== "double") return [...count, `sum(${name}) as _sum_${at}`];
  return [
    ...count,
    `sum(${name}) filter (where abs(${name}) <= ${huge}) as _sum_${at}`,
    `sum(${name} / ${scale}) filter (where abs(${name}) > ${huge}) as _large_${at}`,
  ];
}

/** SQL for a column's sum as an exact number, from the result of `aggregatesOf`. */
function totalOf({ kind }: Column, at: number): string {
  if (kind !== "double") return `coalesce(_sum_${at}, 0)`;
  // The text of a double is exact; its cast to a number is not.
  const small = `coalesce(_sum_${at}::text::numeric, 0)`;
  const large = `case when abs(_large_${at}) < 1.5e290 then (_large_${at} * ${scale})::text::numeric else _large_${at}::text::numeric * ${scale} end`;
  return `(${small} + coalesce(${large}, 0))`;
}

/** An exact average has more digits than the nearest double, whatever its magnitude; null without values. */
function meanOf(column: Column, at: number): string {
  const total = totalOf(column, at);
  return `(round(${total}, scale(${total}) + 40) / nullif(_values_${at}, 0))`;
}

function orderOf({ groups, measures, sort }: AggregateQuery): string {
  const columns = columnsOf(measures);
  const keys = groups.map(({ column }, at) => sortKey(column, `_by_${at}`));
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

/** SQL for a group as JSON text. */
function groupJson(query: AggregateQuery): string {
  const { groups, measures } = query;
  const columns = columnsOf(measures);
  const by = groups.map((group, at) => member(group.key, groupText(group, `_by_${at}`)));
  const parts = [`'{"by":{'`, ...commas(by), `'},"count":'`, "_count"];
  for (const calculation of ["sum", "avg", "min", "max"] as const) {
    const asked = measures.filter((measure) => measure.calculation === calculation);
    if (asked.length === 0) continue;
    const members = asked.map(({ key, column }) =>
      member(key, measureText(calculation, column, columns.indexOf(column))),
    );
    parts.push(`',"${calculation}":{'`, ...commas(members), `'}'`);
  }
  return [...parts, `'}'`].join(" || ");
}

/** Field names need no escaping in SQL or JSON. */
function member(key: string, text: string): string {
  return `'"${key}":' || coalesce(${text}, 'null')`;
}

function commas(members: readonly string[]): readonly string[] {
  return members.flatMap((one, at) => (at === 0 ? [one] : ["','", one]));
}

function groupText({ column: { kind } }: Group, value: string): string {
  if (kind === "boolean") return `${value}::text`;
  if (kind !== "date" && kind !== "timestamp") return `to_json(${value})::text`;
  // In a zone behind UTC the first year begins in the one before it, which has no number in PostgreSQL.
  const year = `case when ${value} < '0001-01-01' then '0000' else to_char(${value}, 'YYYY') end`;
  return `'"' || ${year} || to_char(${value}, '-MM-DD') || '"'`;
}

function measureText(calculation: Calculation, column: Column, at: number): string {
  switch (calculation) {
    case "sum": {
      const total = totalOf(column, at);
      if (column.kind !== "double") return `${total}::text`;
      // JSON has numbers beyond the range of doubles.
      return `case when abs(${total}) < 1.7976931348623157e308 then ${total}::float8::text else ${total}::text end`;
    }
    case "avg": {
      const mean = meanOf(column, at);
      // PostgreSQL refuses to cast less than half of the smallest double.
      return `case when abs(${mean}) < 2.5e-324 then '0' else ${mean}::float8::text end`;
    }
    case "min":
    case "max":
      return extremeText(column, `_${calculation}_${at}`);
    default:
      return calculation satisfies never;
  }
}

function extremeText({ kind }: Column, value: string): string {
  if (kind === "timestamp") return `to_json(service.iso_time(${value}))::text`;
  return kind === "date" ? `to_json(${value})::text` : `${value}::text`;
}

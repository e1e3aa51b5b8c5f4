import { kindOf } from "../table/kinds/kinds.js";
import type { Column } from "../table/table.js";
import { type Calculation, calculations } from "./aggregate-parameters.js";
import type { AggregateQuery } from "./aggregate-query.js";
import type { Group } from "./group.js";
import { groupColumn } from "./group-records.js";
import { columnsOf, meanOf, totalOf } from "./measures.js";

/** SQL for a group as JSON text. */
export function groupJson(query: AggregateQuery): string {
  const { groups, measures, distinct, records } = query;
  const columns = columnsOf(measures);
  const by = groups.flatMap((group, at) => [
    member(group.key, groupText(group, groupColumn(at))),
    ...records
      .filter((record) => record.group === group)
      .map(({ key, json }) => member(key, `${json}::text`)),
  ]);
  const parts = [`'{"by":{'`, ...commas(by), `'},"count":'`, "_count"];
  for (const calculation of calculations) {
    const requested = measures.filter((measure) => measure.calculation === calculation);
    if (requested.length === 0) continue;
    const members = requested.map(({ key, column }) =>
      member(key, measureText(calculation, column, columns.indexOf(column))),
    );
    parts.push(`',"${calculation}":{'`, ...commas(members), `'}'`);
  }
  if (distinct.length > 0) {
    const counts = distinct.map(({ key }, at) => member(key, `${distinctColumn(at)}::text`));
    parts.push(`',"distinct":{'`, ...commas(counts), `'}'`);
  }
  return [...parts, `'}'`].join(" || ");
}

/** The column with the number of distinct values in a group. */
export function distinctColumn(at: number): string {
  return `_distinct_${at}`;
}

/** Names of fields and links need no escaping in SQL or JSON. */
function member(key: string, text: string): string {
  return `'"${key}":' || coalesce(${text}, 'null')`;
}

function commas(members: readonly string[]): readonly string[] {
  return members.flatMap((one, at) => (at === 0 ? [one] : ["','", one]));
}

function groupText({ column, unit }: Group, value: string): string {
  if (unit === null) return kindOf(column).jsonText(value);
  // In a time zone behind UTC, year 1 begins in the preceding year, which has no number in PostgreSQL. Only adopted
  // columns have days outside this range.
  const year = `case when ${value} < '0001-01-01' then '0000' else to_char(${value}, 'YYYY') end`;
  return `case when ${value} between '0001-12-01 BC' and '9999-12-31'
    then '"' || ${year} || to_char(${value}, '-MM-DD') || '"' else to_json(${value})::text end`;
}

function measureText(calculation: Calculation, column: Column, at: number): string {
  switch (calculation) {
    case "sum":
      return kindOf(column).sum.text(totalOf(column, at));
    case "avg": {
      const mean = meanOf(column, at);
      // PostgreSQL refuses to cast values below half of the smallest double.
      return `case when abs(${mean}) < 2.5e-324 then '0' else to_json(${mean}::float8)::text end`;
    }
    case "min":
    case "max":
      return kindOf(column).jsonText(`_${calculation}_${at}`);
    default:
      return calculation satisfies never;
  }
}

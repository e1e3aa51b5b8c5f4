import { Parameters, type PlannedRead, type Read, type Row } from "../../http/index.js";
import { checkPolicy } from "../own-code/policy.js";
import { type Condition, conditionsComment } from "../query/condition.js";
import { readConditions, takeConditions } from "../query/conditions.js";
import { planRead } from "../query/plan/plan-read.js";
import type { Reach } from "../query/reach.js";
import type { View } from "../rights/view.js";
import { type Column, columnOf, type Table } from "../table/table.js";
import { allRows, countedValues, sumOf } from "../table/tally.js";
import { notField, quoted } from "../table/unknown-field.js";
import {
  checkingTimezone,
  refusalOfTimezone,
  takeTimezone,
  usualTimezone,
  type Zone,
} from "../time-zone/timezone.js";
import { type Moment, spansOf, takeMoment } from "./moment.js";
import { readSeries, type Series, seriesOf } from "./series.js";

const defaultDays = 7;
const maxDays = 365;

/** `GET /<resource>/_stats`: 200 `{ total, current, previous, values }`, with `series` if requested. */
export function countRecords<Values>(table: Table<Values>): Read {
  return (context) =>
    planRead({ table, action: "stats" }, context, (seen, reach) =>
      plannedRead(seen, readStatsQuery(seen, context.query, reach)),
    );
}

function plannedRead(view: View, query: StatsQuery): PlannedRead {
  const { conditions, moment } = query;
  const looked = moment.kind === "creation" ? conditions : [...conditions, moment];
  return {
    text:
      conditionsComment(view, looked) + checkingTimezone(statement(view, query), query.timezone),
    values: query.values,
    cost: isTallied(query) ? "scan" : "aggregate",
    ...(conditions.some(({ isSearch }) => isSearch === true) && { isSearch: true }),
    depends: "time",
    resource: view.resource,
    refusalOf: refusalOfTimezone,
    answer: async (row, ofCaller) => {
      await checkPolicy(ofCaller, { table: view, action: "stats" });
      return { status: 200, json: statsJson(row, query) };
    },
  };
}

/** The query of a statistics request, checked against the table. */
interface StatsQuery {
  readonly field: Column | null;
  readonly conditions: readonly Condition[];
  readonly moment: Moment;
  readonly series: Series | null;
  /** Validated even without a series. */
  readonly timezone: Zone;
  /** The statement's values; the first is the number of days. */
  readonly values: readonly unknown[];
}

/**
 * Whether the tally has nearly all numbers of the response, which requires that there are no conditions and no periods.
 */
function isTallied({ conditions, moment, series, timezone }: StatsQuery): boolean {
  const isPlain = conditions.length === 0 && moment.kind === "creation" && series === null;
  // PostgreSQL may refuse another time zone, and only authenticated callers may see that error.
  return isPlain && timezone === usualTimezone;
}

function statsJson(row: Row, { field, series }: StatsQuery): string {
  const { total, current, previous } = row;
  // Built as text: an object would reorder number-like values and lose one named "__proto__".
  const counted = field === null ? [] : countedValues(field);
  const values = counted.map((value, at) => `${JSON.stringify(value)}:${row[`value_${at}`]}`);
  const periods = series === null ? "" : `,"series":${row.series}`;
  return `{"total":${total},"current":${current},"previous":${previous},"values":{${values.join(",")}}${periods}}`;
}

function readStatsQuery(view: View, query: string, reach: Reach): StatsQuery {
  const parameters = new Parameters(query);
  const days = parameters.takeInteger("days", { min: 1, max: maxDays, default: defaultDays });
  const name = parameters.take("field");
  const field = name === undefined ? null : countable(view, name);
  if (name !== undefined && field === null) {
    const message = `Must name an enum or boolean field, but ${quoted(name)} is not one`;
    parameters.reject("field", columnOf(view, name) === null ? notField(view, name) : message);
  }
  const { values } = reach;
  values.push(days);
  const conditions = readConditions(view, takeConditions(parameters), {
    issues: parameters,
    reach,
  });
  const moment = takeMoment(view, parameters);
  const timezone = takeTimezone(parameters, values);
  const series = readSeries(parameters, timezone);
  if (series !== null && moment.isMissing === true) {
    parameters.reject("series", "Requires at, because records have no creation time");
  }
  parameters.finish();
  if (field !== null && (field.counts === undefined || conditions.length > 0)) {
    values.push(...countedValues(field));
  }
  return { field, conditions, moment, series, timezone, values };
}

function countable(view: View, name: string): Column | null {
  const column = columnOf(view, name);
  return column !== null && countedValues(column).length > 0 ? column : null;
}

/**
 * The statement without conditions: all numbers come from the tally, except the periods, which are counted in an index.
 */
function statement({ table }: View, query: StatsQuery): string {
  const { field, conditions, moment, series, timezone, values } = query;
  const where = conditions.map(({ sql }) => sql).join(" and ");
  const { current, previous } = spansOf(moment, timezone);
  const periods =
    series === null ? "" : `, ${seriesOf(table.name, { series, moment, where })} as series`;
  const [condition, ...others] = conditions;
  if (field === null && others.length === 0 && condition?.index === "page" && condition.count) {
    return `
    select
      ${condition.count} as total,
      (select count(*) from ${table.name} where ${where} and ${current}) as current,
      (select count(*) from ${table.name} where ${where} and ${previous}) as previous${periods}`;
  }
  if (where !== "") {
    return `
    select
      count(*) as total,
      count(*) filter (where ${current}) as current,
      count(*) filter (where ${previous}) as previous${countsOfValues(field, values)}${periods}
    from ${table.name}
    where ${where}`;
  }
  const isKept = field?.counts !== undefined;
  const kept = field?.counts?.map((count, at) => `, ${sumOf(count)} as value_${at}`) ?? [];
  const counted =
    field === null || isKept
      ? ""
      : `cross join (select ${countsOfValues(field, values).slice(1)} from ${table.name}) as _values`;
  return `
    select
      _tally.*,
      (select count(*) from ${table.name} where ${current}) as current,
      (select count(*) from ${table.name} where ${previous}) as previous${counted === "" ? "" : ", _values.*"}${periods}
    from (select ${sumOf(allRows)} as total${kept.join("")} from ${table.tally}) as _tally
    ${counted}`;
}

/** The statement that reads every row; the field's values are the last parameters. */
function countsOfValues(field: Column | null, values: readonly unknown[]): string {
  if (field === null) return "";
  const before = values.length - countedValues(field).length;
  return countedValues(field)
    .map((_, at) => `, count(*) filter (where ${field.name} = $${before + at + 1}) as value_${at}`)
    .join("");
}

import type { Issues } from "../../http/index.js";
import type { Aggregation } from "../../values/aggregations.js";
import type { Condition } from "../query/condition.js";
import { readConditions } from "../query/conditions.js";
import { LinkedValues, type Value } from "../query/links/values.js";
import type { Reach } from "../query/reach.js";
import type { View } from "../rights/view.js";
import { comparedColumn } from "../table/column-keys.js";
import { kindOf } from "../table/kinds/kinds.js";
import type { Column } from "../table/table.js";
import { notField, quoted } from "../table/unknown-field.js";
import { readTimezone, type Zone } from "../time-zone/timezone.js";
import {
  type AggregateParameters,
  type Calculation,
  calculations,
} from "./aggregate-parameters.js";
import type { Group } from "./group.js";
import { type GroupRecord, readGroupRecords } from "./group-records.js";
import { periods } from "./period.js";

/** A number calculated over a group's records. */
export interface Measure {
  readonly calculation: Calculation;
  /** The key of the field in a record. */
  readonly key: string;
  readonly column: Column;
}

/** The measure by which groups are sorted before their own values. */
export interface GroupSort {
  readonly by: Measure | Group | "count";
  readonly descending: boolean;
}

/** A query of `_aggregate`, checked against the table. */
export interface AggregateQuery {
  readonly measures: readonly Measure[];
  readonly groups: readonly Group[];
  /** The values whose distinct count each group returns. */
  readonly distinct: readonly Value[];
  /** SQL for the rows, joined with their linked records. */
  readonly from: string;
  /** The records to return in addition to their ids. */
  readonly records: readonly GroupRecord[];
  readonly sort: GroupSort | null;
  readonly perPage: number;
  readonly conditions: readonly Condition[];
  readonly timezone: Zone;
  /** Whether columns may contain times outside the years of the API, as those of adopted tables do. */
  readonly times: "usual" | "any";
  readonly values: readonly unknown[];
}

const maxGroups = 2;

/** The maximum number of links that lead to a group's value. */
const maxLinks = 1;

/** The maximum number of fields: PostgreSQL sorts the values of all of them at the same time. */
const maxDistinct = 8;

/** Checks an aggregation against the table, and adds all mistakes to the issues. */
export function readAggregate(
  view: View,
  requested: AggregateParameters,
  { issues, reach }: { readonly issues: Issues; readonly reach: Reach },
): AggregateQuery {
  const found = new LinkedValues(view, reach, maxLinks);
  const measures = calculations.flatMap((one) =>
    readMeasures(view, { calculation: one, names: requested.measures[one] }, issues),
  );
  const groups = readGroups(found, requested.by, issues);
  const distinct = readDistinct(found, requested.distinct, issues);
  const sort = readSort(requested.sort, { measures, groups, issues });
  const { perPage, include } = requested;
  const records = readGroupRecords(view, include, { groups, perPage, reach, issues });
  const { values } = reach;
  const timezone = readTimezone(requested.timezone, issues, values);
  const conditions = readConditions(view, requested, { issues, reach });
  const from = view.name + found.joins + entriesJoined(groups);
  const times = view.table.adopted === true ? "any" : "usual";
  return {
    ...{ measures, groups, distinct, from, records, sort },
    ...{ perPage, conditions, timezone, times, values },
  };
}

/** SQL for a row per id in the lists by which rows are grouped, and one row for an empty list. */
function entriesJoined(groups: readonly Group[]): string {
  const joins = groups.flatMap(({ column, sql }) =>
    column.entries === undefined
      ? []
      : [` left join lateral unnest(${column.name}) as ${sql} on true`],
  );
  return joins.join("");
}

const needed = { sum: "total", avg: "total", min: "extreme", max: "extreme" } as const;

function readMeasures(
  view: View,
  { calculation, names }: { readonly calculation: Calculation; readonly names: readonly string[] },
  issues: Issues,
): readonly Measure[] {
  const measures = names.flatMap((key) => {
    const column = comparedColumn(view, key);
    const suits = column !== null && isAggregated(column, needed[calculation]);
    return suits ? [{ calculation, key, column }] : [];
  });
  if (measures.length < names.length) {
    const times = needed[calculation] === "extreme" ? ", date or timestamp" : "";
    const wrong = names.find((key) => !measures.some((measure) => measure.key === key)) ?? "";
    const message = `Must name number${times} fields, but ${quoted(wrong)} is not one`;
    issues.reject(
      calculation,
      comparedColumn(view, wrong) === null ? notField(view, wrong) : message,
    );
  }
  return measures;
}

const groupable =
  "enum, boolean, belongsTo, links, date, integer or short string fields, each also as <link>.<field>";

function readGroups(
  found: LinkedValues,
  names: readonly string[],
  issues: Issues,
): readonly Group[] {
  if (names.length > maxGroups) {
    issues.reject("by", `At most ${maxGroups} fields`);
    return [];
  }
  const read = names.map((written) => readGroup(found, written));
  const groups = read.flatMap((group) => group ?? []);
  const wrong = names.find((_, at) => read[at] === null);
  if (wrong !== undefined) {
    const fields = `${groupable}, or date or timestamp fields with :${periods.join(", :")}`;
    issues.reject("by", problemOf(found, wrong, fields));
  } else if (new Set(groups.map(({ key }) => key)).size < groups.length) {
    issues.reject("by", "Names a field twice");
  }
  return groups;
}

/** Parses `status`, `releasedOn`, `createdAt:month`, `customer.country` or `customer.bornOn:year`. */
function readGroup(found: LinkedValues, written: string): Group | null {
  const [, key = "", part] = /^([\w.]+)(?::(\w+))?$/.exec(written) ?? [];
  const value = found.find(key);
  if (value === null) return null;
  if (part === undefined && isListOfLinks(value.column) && value.link === null) {
    return { ...value, sql: `_each_${key}`, canBeEmpty: true, unit: null };
  }
  if (part === undefined)
    return isAggregated(value.column, "value") ? { ...value, unit: null } : null;
  const unit = periods.find((one) => one === part);
  return unit && isAggregated(value.column, "period") ? { ...value, unit } : null;
}

function readDistinct(
  found: LinkedValues,
  names: readonly string[],
  issues: Issues,
): readonly Value[] {
  if (names.length > maxDistinct) {
    issues.reject("distinct", `At most ${maxDistinct} fields`);
    return [];
  }
  const values = names.flatMap((key) => {
    const value = found.find(key);
    return value !== null && isAggregated(value.column, "value") ? [value] : [];
  });
  const wrong = names.find((name) => !values.some(({ key }) => key === name));
  if (wrong !== undefined) issues.reject("distinct", problemOf(found, wrong, groupable));
  return values;
}

function problemOf(found: LinkedValues, written: string, fields: string): string {
  const [key = ""] = written.split(":");
  return found.unknown(key) ?? `Must name ${fields}, but ${quoted(written)} is not one`;
}

function isListOfLinks(column: Column): boolean {
  return column.entries !== undefined && !kindOf(column).isFile;
}

function isAggregated(column: Column, as: Aggregation): boolean {
  return kindOf(column).aggregations(column).includes(as);
}

function readSort(
  written: string | undefined,
  query: Pick<AggregateQuery, "measures" | "groups"> & { readonly issues: Issues },
): GroupSort | null {
  if (written === undefined) return null;
  const { measures, groups, issues } = query;
  const descending = written.startsWith("-");
  const name = descending ? written.slice(1) : written;
  const by =
    name === "count"
      ? name
      : (measures.find((one) => isTotal(one) && `${one.calculation}.${one.key}` === name) ??
        groups.find(({ key }) => key === name));
  if (by !== undefined) return { by, descending };
  const message = `Must be count, or a requested sum, avg or field in by, not ${quoted(name)}`;
  issues.reject("sort", message);
  return null;
}

function isTotal({ calculation }: Measure): boolean {
  return calculation === "sum" || calculation === "avg";
}

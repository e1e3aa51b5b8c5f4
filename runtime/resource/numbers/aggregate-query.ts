import { Parameters } from "../../http/index.js";
import { type Condition, readConditions, takeConditions } from "../query/conditions.js";
import type { Reach } from "../query/reach.js";
import type { View } from "../rights/view.js";
import { type Column, columnOf } from "../table/table.js";
import { takeTimezone, type Zone } from "../time-zone/timezone.js";

const calculations = ["sum", "avg", "min", "max"] as const;
export type Calculation = (typeof calculations)[number];

const units = ["day", "week", "month", "year"] as const;
type Unit = (typeof units)[number];

/** A number that is calculated over a group's records. */
export interface Measure {
  readonly calculation: Calculation;
  /** The key of the field in a record. */
  readonly key: string;
  readonly column: Column;
}

/** What a group is formed by: a value that its records share. */
export interface Group {
  /** The key of the field in a record. */
  readonly key: string;
  readonly column: Column;
  /** The part of a time or date; null groups by the value itself. */
  readonly unit: Unit | null;
}

/** The measure that the groups are sorted by, before their own values. */
export interface GroupSort {
  readonly by: Measure | Group | "count";
  readonly descending: boolean;
}

/** A query of `_aggregate`, checked against the table. */
export interface AggregateQuery {
  readonly measures: readonly Measure[];
  readonly groups: readonly Group[];
  readonly sort: GroupSort | null;
  readonly perPage: number;
  readonly conditions: readonly Condition[];
  readonly timezone: Zone;
  readonly values: readonly unknown[];
}

const perPageRange = { min: 1, max: 1000, default: 100 };
const maxGroups = 2;

/** Parses an aggregation's address; refuses it with every parameter that is wrong. */
export function readAggregate(view: View, query: string, reach: Reach): AggregateQuery {
  const parameters = new Parameters(query);
  const measures = calculations.flatMap((one) => readMeasures(view, parameters, one));
  const groups = readGroups(view, parameters);
  const sort = readSort(parameters, measures, groups);
  const perPage = parameters.takeInteger("perPage", perPageRange);
  const { values } = reach;
  const timezone = takeTimezone(parameters, values);
  const conditions = readConditions(view, takeConditions(parameters), {
    issues: parameters,
    reach,
  });
  parameters.finish();
  return { measures, groups, sort, perPage, conditions, timezone, values };
}

const numbers: readonly string[] = ["integer", "decimal", "double"];
const measurable: Readonly<Record<Calculation, readonly string[]>> = {
  sum: numbers,
  avg: numbers,
  min: [...numbers, "date", "timestamp"],
  max: [...numbers, "date", "timestamp"],
};

function readMeasures(
  view: View,
  parameters: Parameters,
  calculation: Calculation,
): readonly Measure[] {
  const names = parameters.takeList(calculation) ?? [];
  const measures = names.flatMap((key) => {
    const column = columnOf(view, key);
    const suits = column !== null && measurable[calculation].includes(column.kind);
    return suits ? [{ calculation, key, column }] : [];
  });
  if (measures.length < names.length) {
    const times = measurable[calculation].includes("date") ? ", date or timestamp" : "";
    parameters.reject(calculation, `Must name number${times} fields`);
  } else if (new Set(names).size < names.length) {
    parameters.reject(calculation, "Names a field twice");
  }
  return measures;
}

function readGroups(view: View, parameters: Parameters): readonly Group[] {
  const names = parameters.takeList("by") ?? [];
  const groups = names.flatMap((written) => readGroup(view, written) ?? []);
  if (groups.length < names.length) {
    const message = `Must name enum, boolean, belongsTo or date fields, or date or timestamp fields with :${units.join(", :")}`;
    parameters.reject("by", message);
  } else if (groups.length > maxGroups) {
    parameters.reject("by", `At most ${maxGroups} fields`);
  } else if (new Set(groups.map(({ key }) => key)).size < groups.length) {
    parameters.reject("by", "Names a field twice");
  }
  return groups;
}

/** `status`, `releasedOn` or `createdAt:month`. */
function readGroup(view: View, written: string): Group | null {
  const [, key = "", part] = /^(\w+)(?::(\w+))?$/.exec(written) ?? [];
  const column = columnOf(view, key);
  const unit = units.find((one) => one === part) ?? null;
  if (column === null || (part !== undefined && unit === null)) return null;
  switch (column.kind) {
    case "enum":
    case "boolean":
    case "belongsTo":
      return unit === null ? { key, column, unit } : null;
    case "date":
      return { key, column, unit };
    case "timestamp":
      return unit === null ? null : { key, column, unit };
    default:
      return null;
  }
}

function readSort(
  parameters: Parameters,
  measures: readonly Measure[],
  groups: readonly Group[],
): GroupSort | null {
  const written = parameters.take("sort");
  if (written === undefined) return null;
  const descending = written.startsWith("-");
  const name = descending ? written.slice(1) : written;
  const by =
    name === "count"
      ? name
      : (measures.find((one) => isTotal(one) && `${one.calculation}.${one.key}` === name) ??
        groups.find(({ key }) => key === name));
  if (by !== undefined) return { by, descending };
  parameters.reject("sort", "Must be count, or a requested sum, avg or field of by");
  return null;
}

function isTotal({ calculation }: Measure): boolean {
  return calculation === "sum" || calculation === "avg";
}

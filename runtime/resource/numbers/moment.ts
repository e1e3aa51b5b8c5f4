import type { Parameters } from "../../http/index.js";
import type { Lookup } from "../query/condition.js";
import type { View } from "../rights/view.js";
import { comparedColumn, timeColumn } from "../table/column-keys.js";
import { kindOf } from "../table/kinds/kinds.js";
import type { Column } from "../table/table.js";
import { notField, quoted } from "../table/unknown-field.js";
import { today } from "../time-zone/local-time.js";
import type { Zone } from "../time-zone/timezone.js";

/** The time that determines where statistics over time count a record. */
export interface Moment {
  /** The column as SQL. */
  readonly name: string;
  /** `creation` is set in every record, has an index, and is never in the future. */
  readonly kind: "creation" | "moment" | "day";
  /** Set if records do not have this time. */
  readonly isMissing?: true;
  /** Lookups that an index could answer; empty if such an index exists. */
  readonly lookups: readonly Lookup[];
}

/** Removes `at`, a date or timestamp, from the parameters; by default it is the time of creation. */
export function takeMoment(view: View, parameters: Parameters): Moment {
  const name = parameters.take("at");
  const column = name === undefined ? null : comparedColumn(view, name);
  const time = column === null ? null : kindOf(column).time;
  if (column !== null && time !== null) {
    return name === "createdAt" ? creationOf(view) : momentOf(column, time);
  }
  if (name !== undefined) {
    const message = `Must name a date or timestamp field, but ${quoted(name)} is not one`;
    parameters.reject("at", column === null ? notField(view, name) : message);
  }
  return creationOf(view);
}

function momentOf(column: Column, kind: "moment" | "day"): Moment {
  return { name: column.name, kind, lookups: [{ column, by: "range" }] };
}

function creationOf(view: Pick<View, "columns">): Moment {
  const { name, missing } = timeColumn(view, "createdAt");
  return { name, kind: "creation", lookups: [], ...(missing && { isMissing: missing }) };
}

/** SQL conditions for the last `$1` days, and for the same number of days before them. */
export interface Spans {
  readonly current: string;
  readonly previous: string;
}

/** SQL conditions for the rows of both spans. A date counts as that day in the time zone, and the last day is today. */
export function spansOf({ name, kind }: Moment, zone: Zone): Spans {
  if (kind === "day") {
    // A separate `select` is evaluated once, not per row.
    const last = `(select (${today(zone)})::date)`;
    return {
      current: `${name} > ${last} - $1::int and ${name} <= ${last}`,
      previous: `${name} > ${last} - 2 * $1::int and ${name} <= ${last} - $1::int`,
    };
  }
  const current = `${name} > now() - make_interval(hours => 24 * $1)`;
  return {
    current: kind === "creation" ? current : `${current} and ${name} <= now()`,
    previous: `${name} <= now() - make_interval(hours => 24 * $1) and ${name} > now() - make_interval(hours => 48 * $1)`,
  };
}

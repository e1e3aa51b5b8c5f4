import type { Parameters } from "../../http/index.js";
import type { Lookup } from "../query/condition.js";
import type { View } from "../rights/view.js";
import { kindOf } from "../table/kinds/kinds.js";
import { type Column, columnOf } from "../table/table.js";
import { notField, quoted } from "../table/unknown-field.js";
import { today } from "../time-zone/local-time.js";
import type { Zone } from "../time-zone/timezone.js";

/** When a record counts, for all numbers of a span of time. */
export interface Moment {
  /** The column as SQL. */
  readonly name: string;
  /** `creation` is known for every record, has an index, and never lies ahead. */
  readonly kind: "creation" | "moment" | "day";
  /** What an index could answer; none where there is one. */
  readonly lookups: readonly Lookup[];
}

/** Takes `at`, a date or timestamp; the time of creation unless it was sent. */
export function takeMoment(view: View, parameters: Parameters): Moment {
  const name = parameters.take("at");
  const column = name === undefined ? null : columnOf(view, name);
  const time = column === null ? null : kindOf(column).time;
  if (column !== null && time !== null) {
    return name === "createdAt" ? creation : momentOf(column, time);
  }
  if (name !== undefined) {
    const message = `Must name a date or timestamp field, which ${quoted(name)} is not`;
    parameters.reject("at", column === null ? notField(view, name) : message);
  }
  return creation;
}

function momentOf(column: Column, kind: "moment" | "day"): Moment {
  return { name: column.name, kind, lookups: [{ column, by: "range" }] };
}

export const creation: Moment = { name: "created_at", kind: "creation", lookups: [] };

/** The spans of `$1` days up to now, and before that. */
export interface Spans {
  readonly current: string;
  readonly previous: string;
}

/** SQL conditions for the rows of both; a date stands for its day in the zone, of which today is the last. */
export function spansOf({ name, kind }: Moment, zone: Zone): Spans {
  if (kind === "day") {
    // A select of its own is evaluated once, not for each row.
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

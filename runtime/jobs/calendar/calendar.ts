import { Cron } from "croner";
import { reasonOf } from "../../errors/index.js";
import { clockOf, nextChange, type PlaceClock } from "../../values/timezone/clock.js";

/** The times of a schedule. */
export interface Calendar {
  /** The expression as configured. */
  readonly cron: string;
  readonly timezone: string;
  /** The first time after `after`; null if there is none. */
  next(after: Date): Date | null;
  /** The last time after `since` and not after `until`; null if there is none. */
  last(since: Date, until: Date): Date | null;
}

/** An invalid expression or time zone. */
export class CalendarError extends Error {}

const words: ReadonlyMap<string, string> = new Map([
  ["@hourly", "0 * * * *"],
  ["@daily", "0 0 * * *"],
  ["@weekly", "0 0 * * 0"],
  ["@monthly", "0 0 1 * *"],
]);

/**
 * Parses a cron expression of five fields, or one of four words. `croner` determines the local times; this file maps
 * them to instants. A local time skipped by a clock change becomes the first instant after the gap; of one that occurs
 * twice, the first is used. If the hour is `*` or a step of it, every elapsed hour counts.
 */
export function readCalendar(cron: string, timezone: string): Calendar {
  const clock = clockNamed(timezone);
  const fields = (words.get(cron) ?? cron).trim();
  const pattern = patternOf(cron, fields);
  const [, hour = ""] = fields.split(/\s+/);
  const next = hour.startsWith("*")
    ? (after: number) => nextReal(pattern, clock, after)
    : (after: number) => nextShown(pattern, clock, after);
  if (next(0) === null) throw new CalendarError(`"${cron}" never occurs`);
  const calendar = {
    next: (after: Date) => dateOf(next(after.getTime())),
    last(since: Date, until: Date): Date | null {
      return lastOf(next, since.getTime(), until.getTime());
    },
  };
  return { cron, timezone, ...calendar };
}

function clockNamed(timezone: string): PlaceClock {
  try {
    return clockOf(timezone);
  } catch {
    throw new CalendarError(`"${timezone}" is not an IANA time zone, such as Europe/Berlin`);
  }
}

/** A pattern of local times, handled as if they were UTC. */
function patternOf(cron: string, fields: string): Cron {
  if (fields.split(/\s+/).length !== 5) {
    throw new CalendarError(
      `"${cron}" must have five fields (minute, hour, day, month, weekday), or be one of ${[...words.keys()].join(", ")}`,
    );
  }
  const odd = fields.split(/\s+/).find((field, at) => !isPlain(field, names[at] ?? []));
  if (odd !== undefined) {
    throw new CalendarError(
      `"${cron}" cannot be read: "${odd}" must consist of numbers, *, lists, ranges and steps; months and weekdays may be named (jan, mon)`,
    );
  }
  try {
    return new Cron(fields, { mode: "5-part", timezone: "UTC", paused: true });
  } catch (error) {
    const reason = reasonOf(error).replace(/^CronPattern: /, "");
    throw new CalendarError(`"${cron}" cannot be read: ${reason}`);
  }
}

/** The names allowed in place of a number in each field. */
const names: readonly (readonly string[])[] = [
  [],
  [],
  [],
  ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
  ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
];

/**
 * Whether the field uses only syntax that every cron supports. `croner` also accepts `L`, `W`, `#`, `?`, `+`, and names
 * within words.
 */
function isPlain(field: string, named: readonly string[]): boolean {
  const value = [String.raw`\d{1,2}`, ...named].join("|");
  const part = String.raw`(?:\*|(?:${value})(?:-(?:${value}))?)(?:/\d{1,2})?`;
  return new RegExp(`^${part}(?:,${part})*$`, "i").test(field);
}

type Next = (after: number) => number | null;

function shownAfter(pattern: Cron, shown: number): number | null {
  return pattern.nextRun(new Date(shown))?.getTime() ?? null;
}

/** The next instant whose local time matches the pattern; repeated hours of a clock change count twice. */
function nextReal(pattern: Cron, clock: PlaceClock, after: number): number | null {
  let from = after;
  for (;;) {
    const offset = clock.offsetAt(from);
    const shown = shownAfter(pattern, from + offset);
    if (shown === null) return null;
    const moment = shown - offset;
    if (clock.offsetAt(moment) === offset) return moment;
    const change = nextChange(clock, from, moment);
    if (change === null) return moment;
    // The clock change may jump to a local time that matches.
    const shownThen = change + clock.offsetAt(change);
    if (shownAfter(pattern, shownThen - 1) === shownThen) return change;
    from = change;
  }
}

/** The next instant at which a matching local time first occurs, or at which a clock change skips one. */
function nextShown(pattern: Cron, clock: PlaceClock, after: number): number | null {
  let shown = shownAfter(pattern, after + clock.offsetAt(after));
  while (shown !== null) {
    const moment = momentOf(clock, shown);
    if (moment > after) return moment;
    shown = shownAfter(pattern, shown);
  }
  return null;
}

/** More than the largest UTC offset of any time zone. */
const maxOffset = 26 * 3_600_000;

/** The first instant with this local time, or the first one after the gap if a clock change skips it. */
function momentOf(clock: PlaceClock, shown: number): number {
  const before = shown - maxOffset;
  let from = before;
  for (;;) {
    const moment = shown - clock.offsetAt(from);
    const change = nextChange(clock, from, Math.max(moment, from));
    if (change === null) return moment;
    if (change + clock.offsetAt(change) >= shown) return change;
    from = change;
  }
}

/** Uses bisection: a schedule that runs every minute has many times in a long outage. */
function lastOf(next: Next, since: number, until: number): Date | null {
  let found = next(since);
  if (found === null || found > until) return null;
  let [low, high] = [found, until];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const later = next(middle - 1);
    if (later === null || later > until) high = middle - 1;
    else {
      found = later;
      low = later;
    }
  }
  return new Date(found);
}

function dateOf(moment: number | null): Date | null {
  return moment === null ? null : new Date(moment);
}

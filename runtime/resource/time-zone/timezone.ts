import { isValueRefused } from "../../db/index.js";
import { Refusal } from "../../errors/index.js";
import type { Issues, Parameters } from "../../http/index.js";
import { databaseTimezone, isTimezone, timezoneMessage } from "../../values/timezone/name.js";

/** The time zone of a statement. */
export interface Zone {
  /** SQL for the zone's name. */
  readonly sql: string;
  /** Whether the zone's clocks have been set back past midnight since 1970. */
  readonly isBackOverMidnight: boolean;
}

export const usualTimezone: Zone = { sql: "'UTC'", isBackOverMidnight: false };

/** Removes an IANA time zone from the parameters, and adds it to the values of a statement. */
export function takeTimezone(parameters: Parameters, values: unknown[]): Zone {
  return readTimezone(parameters.take("timezone"), parameters, values);
}

/** Checks the name of a time zone, UTC by default, and adds it to the values of a statement. */
export function readTimezone(name: string | undefined, issues: Issues, values: unknown[]): Zone {
  if (name === undefined) return usualTimezone;
  if (isTimezone(name)) return zoneNamed(name, values);
  issues.reject("timezone", timezoneMessage);
  return usualTimezone;
}

export function zoneNamed(name: string, values: unknown[]): Zone {
  const upper = name.toUpperCase();
  return {
    sql: `$${values.push(databaseTimezone(name))}::text`,
    isBackOverMidnight: backOverMidnight.has(upper),
  };
}

/**
 * Wraps the statement so that PostgreSQL refuses it if it does not know the time zone. Otherwise PostgreSQL would check
 * the zone only when it converts a time.
 */
export function checkingTimezone(statement: string, timezone: Zone): string {
  if (timezone === usualTimezone) return statement;
  return `select * from (${statement}) as _answer where (now() at time zone ${timezone.sql}) is not null`;
}

/**
 * The refusal of a zone that JavaScript knows but PostgreSQL does not: their time zone data may be from different
 * years.
 */
export function refusalOfTimezone(error: unknown): Refusal | null {
  if (!isValueRefused(error)) return null;
  return new Refusal("BAD_PARAMETERS", {
    issues: [{ param: "timezone", message: timezoneMessage }],
  });
}

/** Zones whose clocks were set back past midnight, after the new day had begun. */
const backOverMidnight: ReadonlySet<string> = new Set([
  "AMERICA/GOOSE_BAY",
  "AMERICA/MONCTON",
  "AMERICA/ST_JOHNS",
  "ANTARCTICA/CASEY",
  "CANADA/NEWFOUNDLAND",
]);

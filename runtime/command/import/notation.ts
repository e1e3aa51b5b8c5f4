import { dateFormatMessage, readDateFormat } from "../../values/csv/date-format.js";
import type { Decimal, Encoding } from "../../values/csv/options.js";
import { readValues, readWords } from "../../values/csv/replaced.js";
import { isTimezone, timezoneMessage } from "../../values/timezone/name.js";
import { CommandRefused, exit } from "../exit.js";

/** The options for a file from another program and for its columns, as given. */
export interface NotationOptions {
  readonly encoding?: Encoding;
  readonly decimal?: Decimal;
  readonly dateFormat?: string;
  readonly timezone?: string;
  readonly null?: string;
  readonly set?: Readonly<Record<string, string>>;
  readonly values?: readonly string[];
  readonly join?: readonly string[];
}

/**
 * Parses the options.
 *
 * @throws {CommandRefused} for a malformed option.
 */
export function readNotation(given: NotationOptions) {
  const { dateFormat = null, timezone = null, set = {} } = given;
  if (dateFormat !== null && readDateFormat(dateFormat) === null) {
    refuse("date-format", dateFormat, dateFormatMessage);
  }
  if (timezone !== null && !isTimezone(timezone)) refuse("timezone", timezone, timezoneMessage);
  const join = named("join", given.join, { sign: "=", read: joinedColumns });
  const both = Object.keys(set).find((field) => Object.hasOwn(join, field));
  if (both !== undefined) refuse("join", both, "Its field has a value from --set");
  return {
    ...{ encoding: given.encoding ?? "utf-8", decimal: given.decimal ?? ".", dateFormat, timezone },
    ...{ nulls: nullWords(given.null), set: { ...set }, join },
    values: named("values", given.values, { sign: ":", read: readValues }),
  } as const;
}

/** Returns the given option that is specific to CSV, as typed; null if there is none. */
export function csvOptionOf(given: NotationOptions): string | null {
  const { encoding, decimal, dateFormat, timezone, values, join } = given;
  const written = {
    ...{ encoding, decimal, "date-format": dateFormat, timezone, null: given.null, values, join },
  };
  return Object.entries(written).find(([, value]) => value !== undefined)?.[0] ?? null;
}

function nullWords(written = ""): string[] {
  return [...(readWords(written) ?? refuse("null", written, 'Must be words like "NULL,N/A,-"'))];
}

function joinedColumns(written: string): string[] | null {
  const columns = written.split("+");
  return columns.length < 2 || columns.includes("") ? null : columns;
}

const forms = {
  join: "<field>=<column>+<column>",
  values: "<field>:<cell>=<value>,<cell>=<value>",
};

interface Notation<Value> {
  /** The separator between the field and its value. */
  readonly sign: string;
  read(written: string): Value | null;
}

/** Returns the values of a repeated option by field, each field once. */
function named<Value>(
  option: keyof typeof forms,
  all: readonly string[] = [],
  { sign, read }: Notation<Value>,
): Record<string, Value> {
  const entries = all.map((written): [string, Value] => {
    const at = written.indexOf(sign);
    const value = at < 1 ? null : read(written.slice(at + 1));
    return value === null
      ? refuse(option, written, `Must be written as ${forms[option]}`)
      : [written.slice(0, at), value];
  });
  const fields = entries.map(([field]) => field);
  const twice = fields.find((field, at) => fields.indexOf(field) < at);
  if (twice !== undefined) refuse(option, twice, "This field is repeated");
  return Object.fromEntries(entries);
}

function refuse(option: string, written: string, message: string): never {
  throw new CommandRefused(`--${option} ${written}: ${message}`, null, exit.wrongUsage);
}

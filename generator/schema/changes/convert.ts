import { type Check, checkCondition, isNarrower } from "../../kind/check.js";
import type { Column } from "../tables/schema.js";

/** How the values of one column become those of another type. */
interface Conversion {
  /** SQL of the new value, from that of a former one. */
  readonly value: (former: string) => string;
  /** SQL that is true for a former value that has a new one; null where each has. */
  readonly readable: ((former: string) => string) | null;
}

/** Where there is no way from type to type of their own, values go through the text that the API shows. */
export function conversion(from: Column, to: Column): Conversion {
  const direct = directly(from, to);
  if (direct !== null) return direct;
  const { value, readable } = readers[basis(to)](to.type);
  const written = writers[basis(from)];
  return {
    value: (former) => value(written(former)),
    readable: readable === null ? null : (former) => readable(written(former)),
  };
}

/** SQL that is true for a former value that the new column takes; null where it takes each. */
export function fitting(from: Column, to: Column, former: string): string | null {
  const { value, readable } = conversion(from, to);
  const { check } = to;
  const kept = check === null ? null : checkCondition(value(former), check);
  if (readable === null) return keepsTo(from, to) ? null : kept;
  return kept === null
    ? readable(former)
    : `case when ${readable(former)} then ${kept} else false end`;
}

/** Whether values that the former column takes may be refused by the new one. */
export function isNarrowing(from: Column, to: Column): boolean {
  // Numbers of more than 15 digits are too rare to ask for everybody's consent.
  const way = `${basis(from)} ${basis(to)}`;
  const isRare = way === "integer decimal" || way === "decimal double";
  const { readable } = conversion(from, to);
  return (readable !== null && !isRare) || !keepsTo(from, to);
}

/** Whether each value that one takes and that can be converted keeps to the check of the other. */
function keepsTo(from: Column, { check }: Column): boolean {
  if (check === null || (check.rule === "range" && isOfType(check))) return true;
  if (from.check?.rule === check.rule || from.check?.rule === "values") {
    return !isNarrower(from.check, check);
  }
  if (check.rule === "values") {
    return from.type === "boolean" && ["true", "false"].every((one) => check.values.includes(one));
  }
  const longest = longestText[basis(from)];
  return check.rule === "length" && longest <= check.most && check.least <= 1;
}

/** Whether a range is what the type itself can show, and no author's. */
function isOfType({ lower, upper }: Extract<Check, { rule: "range" }>): boolean {
  return (
    !(Math.abs(Number(lower?.value)) < Number.MAX_SAFE_INTEGER) &&
    !(Math.abs(Number(upper?.value)) < Number.MAX_SAFE_INTEGER)
  );
}

/** What a column holds, in words with their article. */
export function wordsOf({ kind, type }: Column): string {
  return kind === "number" ? numberWords(type) : (kindWords[kind ?? ""] ?? type);
}

function numberWords(type: string): string {
  if (type === "bigint") return "a whole number";
  if (!type.startsWith("numeric")) return "a number";
  const places = placesOf(type);
  return `a number with ${places} ${places === 1 ? "decimal" : "decimals"}`;
}

const kindWords: Readonly<Record<string, string>> = {
  string: "a string",
  text: "a text",
  boolean: "a boolean",
  enum: "one of the enum's values",
  date: "a date",
  timestamp: "a timestamp",
  belongsTo: "a link",
  image: "an image",
  file: "a file",
};

type Basis = "text" | "integer" | "decimal" | "double" | "boolean" | "date" | "time" | "uuid";

function basis({ type }: Column): Basis {
  if (type.startsWith("text")) return "text";
  if (type.startsWith("numeric")) return "decimal";
  const found = bases[type];
  if (found === undefined) throw new Error(`no conversion knows the type ${type}`);
  return found;
}

const bases: Readonly<Record<string, Basis>> = {
  bigint: "integer",
  "double precision": "double",
  boolean: "boolean",
  date: "date",
  "timestamptz(3)": "time",
  uuid: "uuid",
};

/** Characters at most. */
const longestText: Readonly<Record<Basis, number>> = {
  text: Number.POSITIVE_INFINITY,
  integer: 17,
  decimal: 33,
  double: 24,
  boolean: 5,
  date: 10,
  time: 24,
  uuid: 36,
};

/** Independent of the session's settings, because triggers run in those of others. */
const writers: Readonly<Record<Basis, (value: string) => string>> = {
  text: (value) => value,
  integer: (value) => `${value}::text`,
  decimal: (value) => `${value}::text`,
  double: (value) => `${value}::text`,
  boolean: (value) => `${value}::text`,
  date: (value) => `to_char(${value}, 'YYYY-MM-DD')`,
  time: (value) => `service.iso_time(${value})`,
  uuid: (value) => `${value}::text`,
};

const day = "[0-9]{4}-[0-9]{2}-[0-9]{2}";
const clock = "[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,3})?(Z|[+-][0-9]{2}:[0-9]{2})";

const readers: Readonly<Record<Basis, (type: string) => Conversion>> = {
  text: () => ({ value: (text) => text, readable: null }),
  integer: (type) => reader(type, "-?(0|[1-9][0-9]{0,15})"),
  decimal: (type) => reader(type, `-?(0|[1-9][0-9]{0,14})${fraction(placesOf(type))}`),
  double: (type) => {
    const { value, readable } = reader(type, "-?(0|[1-9][0-9]*)([.][0-9]+)?(e[+-]?[0-9]{1,3})?");
    const isExact = (text: string) => `${value(text)}::numeric = ${text}::numeric`;
    return {
      value,
      readable: (text) => `case when ${readable(text)} then ${isExact(text)} else false end`,
    };
  },
  boolean: (type) => reader(type, "(true|false)"),
  date: (type) => reader(type, day),
  time: (type) => reader(type, `${day}T${clock}`),
  uuid: (type) => reader(type, "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
};

function fraction(places: number): string {
  return places === 0 ? "" : `([.][0-9]{1,${places}})?`;
}

/**
 * Of texts in the form that the API shows, and of no other that PostgreSQL would read as well: a code
 * such as 01581 is no number, and would lose its first digit.
 */
function reader(type: string, form: string) {
  return {
    value: (text: string) => `${text}::${type}`,
    readable: (text: string) => `${text} ~ '^${form}$' and service.reads_as(${text}, '${type}')`,
  };
}

function directly(from: Column, to: Column): Conversion | null {
  const places = placesOf(to.type);
  const cast = (readable: Conversion["readable"]): Conversion => ({
    value: (number) => `${number}::${to.type}`,
    readable,
  });
  switch (`${basis(from)} ${basis(to)}`) {
    case "integer double":
      return cast(null);
    case "decimal double":
      return cast((number) => `${number}::${to.type}::numeric = ${number}`);
    case "integer decimal":
      return cast((number) => `abs(${number}) < 1e15`);
    case "decimal integer":
      return cast((number) => `${number} = trunc(${number})`);
    case "double integer":
      return cast(
        (number) => `${number} = trunc(${number}) and abs(${number}) <= 9007199254740991`,
      );
    case "decimal decimal":
      if (places >= placesOf(from.type)) return cast(null);
      return cast((number) => `${number} = round(${number}, ${places})`);
    case "double decimal":
      return cast(
        (number) =>
          `abs(${number}) < 1e15 and round(${number}::numeric, ${places})::double precision = ${number}`,
      );
    case "date time":
      return { value: (date) => `(${date} + time '00:00') at time zone 'UTC'`, readable: null };
    case "time date":
      return {
        value: (time) => `(${time} at time zone 'UTC')::date`,
        readable: (time) => `(${time} at time zone 'UTC')::time = '00:00'`,
      };
    default:
      return null;
  }
}

/** Those of `numeric(17, 2)`; 0 for any other type. */
function placesOf(type: string): number {
  return Number(/, (\d+)\)$/.exec(type)?.[1] ?? 0);
}

import type { Issues } from "../../http/index.js";
import { isUnicode } from "../../values/text.js";
import { isTimezone, timezoneMessage } from "../time-zone/timezone.js";
import { type AskedInclude, includedRange } from "./include.js";
import { type AskedList, pageRange, perPageRange } from "./list-parameters.js";

type Body = Readonly<Record<string, unknown>>;

/** Parses the body of `_query`: a list's parameters as JSON. */
export function readListBody(body: Body, issues: Issues): AskedList {
  const reader = new BodyReader(body, issues);
  const asked: AskedList = {
    filters: [],
    where: reader.take("where"),
    q: reader.text("q"),
    page: reader.integer("page", pageRange),
    perPage: reader.integer("perPage", perPageRange),
    cursor: reader.text("cursor"),
    sort: reader.list("sort"),
    fields: reader.list("fields"),
    include: readIncludes(reader.take("include"), issues),
    etags: reader.flag("etags"),
  };
  const timezone = reader.text("timezone");
  if (timezone !== undefined && !isTimezone(timezone)) issues.reject("timezone", timezoneMessage);
  reader.finish();
  return asked;
}

/** `{ name: true | { fields, sort, perPage } }` */
function readIncludes(include: unknown, issues: Issues): readonly AskedInclude[] | undefined {
  if (include === undefined) return undefined;
  if (!isBody(include)) {
    issues.reject("include", "Must be an object of names");
    return undefined;
  }
  return Object.entries(include).map(([name, options]) => {
    if (options === true) return { name };
    if (!isBody(options)) {
      issues.reject("include", `"${name}" must be true or an object of options`);
      return { name };
    }
    const reader = new BodyReader(options, issues, (option) => `include[${name}][${option}]`);
    const asked: AskedInclude = {
      name,
      fields: reader.list("fields"),
      sort: reader.list("sort"),
      perPage: reader.integer("perPage", { ...includedRange, default: undefined }),
    };
    reader.finish();
    return asked;
  });
}

function isBody(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Takes the members of a JSON body, and rejects those of another type. */
class BodyReader {
  readonly #members: Map<string, unknown>;
  readonly #issues: Issues;

  /** `paramOf` maps a member's name to the parameter's. */
  constructor(body: Body, issues: Issues, paramOf = (name: string) => name) {
    this.#members = new Map(Object.entries(body));
    this.#issues = { reject: (name, message) => issues.reject(paramOf(name), message) };
  }

  /** The member unchanged; undefined when it was not sent. */
  take(name: string): unknown {
    const value = this.#members.get(name);
    this.#members.delete(name);
    return value;
  }

  text(name: string): string | undefined {
    const value = this.take(name);
    if (value === undefined || (typeof value === "string" && isUnicode(value))) return value;
    this.#issues.reject(name, "Must be a string of Unicode without NUL characters");
    return undefined;
  }

  list(name: string): readonly string[] | undefined {
    const value = this.take(name);
    if (value === undefined || isList(value)) return value;
    this.#issues.reject(name, "Must be a list of strings");
    return undefined;
  }

  flag(name: string): boolean {
    const value = this.take(name);
    if (value === undefined) return false;
    if (typeof value !== "boolean") this.#issues.reject(name, "Must be true or false");
    return value === true;
  }

  integer<Default extends number | undefined>(
    name: string,
    range: { min: number; max: number; default: Default },
  ): number | Default {
    const value = this.take(name);
    if (value === undefined) return range.default;
    if (Number.isInteger(value)) {
      const number = Number(value);
      if (number >= range.min && number <= range.max) return number;
    }
    const upTo = range.max === Number.MAX_SAFE_INTEGER ? "" : ` to ${range.max}`;
    this.#issues.reject(name, `Must be a whole number from ${range.min}${upTo}`);
    return range.default;
  }

  /** Refuses unknown members. */
  finish(): void {
    for (const name of this.#members.keys()) this.#issues.reject(name, "Unknown parameter");
  }
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string" && isUnicode(one));
}

import { isUnicode } from "../../values/text.js";
import type { Issues } from "./parameters.js";

type Body = Readonly<Record<string, unknown>>;

/** Takes the members of a JSON body, and rejects those of a wrong type. */
export class BodyReader {
  readonly #members: Map<string, unknown>;
  readonly #issues: Issues;

  /** `paramOf` maps the name of a member to that of the parameter. */
  constructor(body: Body, issues: Issues, paramOf = (name: string) => name) {
    this.#members = new Map(Object.entries(body));
    this.#issues = { reject: (name, message) => issues.reject(paramOf(name), message) };
  }

  /** Returns the member unchanged; undefined if it was not sent. */
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

  flag(name: string): boolean | undefined {
    const value = this.take(name);
    if (value === undefined || typeof value === "boolean") return value;
    this.#issues.reject(name, "Must be true or false");
    return undefined;
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

export function isBody(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string" && isUnicode(one));
}

import { readJsonTests } from "../../values/json-condition/read.js";
import { didYouMean } from "../../values/nearest.js";
import {
  isOperator,
  maxConditions,
  maxDepth,
  maxListed,
  type Operator,
  takesList,
} from "../../values/operators.js";
import { inexactIn } from "../../values/stored-json/inexact.js";
import type { Rows } from "../rights/view.js";
import { comparedColumn } from "../table/column-keys.js";
import { kindOf } from "../table/kinds/kinds.js";
import type { Column } from "../table/table.js";
import {
  type Compared,
  compare,
  compareList,
  equals,
  type Operand,
  refusedOperator,
} from "./comparison.js";
import { type Related, relatedBy } from "./links/related.js";
import type { Predicate } from "./predicate.js";
import type { Reach } from "./reach.js";

/** The maximum number of links and inverses on any path. */
const maxRelations = 3;

/** The mistake in a `where`: one sentence with its position. */
export class InvalidWhere extends Error {}

/**
 * Parses a JSON `where` to a predicate; adds other resources to `reach`.
 *
 * @throws {InvalidWhere} for the first mistake.
 */
export function readWhere(rows: Rows, json: unknown, reach: Reach): Predicate {
  return new WhereReader(reach, "inverses").object(json, outermost(rows));
}

/** Like `readWhere`, for conditions on fields and links only. */
export function readNarrowWhere(rows: Rows, json: unknown, reach: Reach): Predicate {
  return new WhereReader(reach, "links").object(json, outermost(rows));
}

/** Like `readWhere`, for conditions on the record's own fields only. */
export function readOwnWhere(rows: Rows, json: unknown, reach: Reach): Predicate {
  return new WhereReader(reach, "fields").object(json, outermost(rows));
}

function outermost(rows: Rows): Place {
  return { rows, path: [], level: 1, relations: 0 };
}

type Path = readonly (string | number)[];

/** The position of an object in a `where`. */
interface Place {
  readonly rows: Rows;
  readonly path: Path;
  readonly level: number;
  /** The number of links and inverses on the path to this position. */
  readonly relations: number;
}

/** The kinds of names allowed in a `where`; each kind includes the previous ones. */
type Takes = "fields" | "links" | "inverses";

interface Given {
  readonly value: unknown;
  readonly path: Path;
}

class WhereReader {
  readonly #reach: Reach;
  readonly #takes: Takes;
  #conditions = 0;

  constructor(reach: Reach, takes: Takes) {
    this.#reach = reach;
    this.#takes = takes;
  }

  object(json: unknown, place: Place): Predicate {
    const { path, level } = place;
    if (!isObject(json)) return refuse(path, "must be an object");
    if (level > maxDepth) return refuse(path, `is nested more than ${maxDepth} levels deep`);
    const parts = Object.entries(json).map(([key, value]) =>
      this.#member(key, value, { ...place, path: [...path, key] }),
    );
    return { kind: "all", parts };
  }

  #member(key: string, value: unknown, place: Place): Predicate {
    switch (key) {
      case "and":
        return { kind: "all", parts: this.#list(value, place) };
      case "or":
        return { kind: "any", parts: this.#list(value, place) };
      case "not":
        return { kind: "not", part: this.object(value, deeper(place)) };
      default:
        return this.#named(key, value, place);
    }
  }

  #list(value: unknown, place: Place): readonly Predicate[] {
    if (!Array.isArray(value)) return refuse(place.path, "must be a list");
    return value.map((part, at) =>
      this.object(part, deeper({ ...place, path: [...place.path, at] })),
    );
  }

  #named(key: string, value: unknown, place: Place): Predicate {
    const { rows, path, relations } = place;
    if (key.startsWith(fieldPrefix))
      return this.#field(key.slice(fieldPrefix.length), value, place);
    if (comparedColumn(rows, key) !== null) return this.#field(key, value, place);
    const reaching = { reach: this.#reach, action: "list" } as const;
    const related = this.#takes === "fields" ? null : relatedBy(rows, key, reaching);
    if (related === null) return refuse(path, unknownIn(rows, key));
    if (relations === maxRelations) {
      return refuse(path, `nests more than ${maxRelations} links and inverses`);
    }
    if (related.isInverse && this.#takes !== "inverses") return refuse(path, "is an inverse");
    const next = { ...place, rows: related.rows, relations: relations + 1 };
    if (related.isInverse) return this.#inverse(related, value, next);
    return this.#related(related, value, deeper(next));
  }

  #related(related: Related, value: unknown, place: Place): Predicate {
    const before = this.#conditions;
    const part = this.object(value, place);
    if (this.#conditions === before) this.#count(place.path);
    return { kind: "related", related, part };
  }

  /** Parses the conditions `some` and `none` on records that link to a record. */
  #inverse(related: Related, value: unknown, place: Place): Predicate {
    const { path } = place;
    if (!isObject(value)) return refuse(path, "must be an object with some or none");
    const entries = Object.entries(value);
    if (entries.length === 0) return refuse(path, "has neither some nor none");
    const parts = entries.map(([word, conditions]): Predicate => {
      const at = deeper({ ...place, path: [...path, word] });
      if (word !== "some" && word !== "none") return refuse(at.path, "is not some or none");
      const some = this.#related(related, conditions, at);
      return word === "some" ? some : { kind: "not", part: some };
    });
    return { kind: "all", parts };
  }

  #field(name: string, value: unknown, { rows, path }: Place): Predicate {
    const column = comparedColumn(rows, name);
    if (column === null) return refuse(path, unknownIn(rows, name));
    if (kindOf(column).hasMembers) return this.#members(column, value, path);
    if (!isObject(value)) {
      return this.#compared(path, () => equals(column, operandOf(column, value, path)));
    }
    const entries = Object.entries(value);
    if (entries.length === 0) return refuse(path, "has no operator");
    const parts = entries.map(([word, operand]) => {
      const place = [...path, word];
      if (!isOperator(word)) return refuse(place, "is not an operator");
      return this.#compared(place, () =>
        this.#operator(column, word, { value: operand, path: place }),
      );
    });
    return { kind: "all", parts };
  }

  /** Parses the conditions on a field whose values have members. */
  #members(column: Column, value: unknown, path: Path): Predicate {
    const inexact = inexactIn(value);
    if (inexact !== null)
      refuse([...path, ...inexact], "must fit into a double without losing digits");
    const parts = readJsonTests(value).map((read): Predicate => {
      const at = [read.word, read.at].flatMap((part) => part ?? []);
      const place = [...path, ...at];
      this.#count(place);
      return "problem" in read
        ? refuse(place, read.problem)
        : { kind: "members", column, test: read.test };
    });
    return { kind: "all", parts };
  }

  #operator(column: Column, operator: Operator, { value, path }: Given): Compared {
    const problem = refusedOperator(column, operator);
    if (problem !== null) return { problem };
    if (!takesList(operator)) {
      return compare(column, operator, operandOf(column, value, path));
    }
    if (!Array.isArray(value)) return refuse(path, "must be a list");
    if (value.length === 0 || value.length > maxListed) {
      return refuse(path, `must have 1 to ${maxListed} values`);
    }
    const operands = value.map((one, at) => operandOf(column, one, [...path, at]));
    return compareList(column, operator, operands);
  }

  #compared(path: Path, read: () => Compared): Predicate {
    this.#count(path);
    const compared = read();
    return "problem" in compared ? refuse(path, `: ${compared.problem}`) : compared.predicate;
  }

  #count(path: Path): void {
    this.#conditions += 1;
    if (this.#conditions > maxConditions) {
      refuse(path, `exceeds the limit of ${maxConditions} conditions`);
    }
  }
}

function deeper(place: Place): Place {
  return { ...place, level: place.level + 1 };
}

const fieldPrefix = "field:";

function unknownIn({ columns, links = {}, inverses = {} }: Rows, name: string): string {
  // This table has no link with the unknown name, so that name is not suggested.
  const names = [columns, links, inverses].flatMap(Object.keys).filter((one) => one !== name);
  const hint = didYouMean(name.slice(0, 100), names);
  return `is not a field to filter by${hint === null ? "" : `: ${hint}`}`;
}

/** Returns a JSON value as text: numbers and booleans as in JSON; anything else must be a string. */
function operandOf(column: Column, value: unknown, path: Path): Operand {
  if (value === null) return null;
  const { json: expected, showsText } = kindOf(column);
  if (typeof value === "string" && showsText) return value;
  if (typeof value !== expected) return refuse(path, `must be a ${expected} or null`);
  return String(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refuse(path: Path, what: string): never {
  const place = path.length === 0 ? "where" : path.join(".");
  throw new InvalidWhere(what.startsWith(":") ? `${place}${what}` : `${place} ${what}`);
}

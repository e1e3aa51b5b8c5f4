import { columnOf, type Table } from "../table.js";
import { type Compared, compare, complement, equals, isOneOf, type Operand } from "./comparison.js";
import { isOperator, maxListed, type Operator, operatorProblem } from "./operators.js";
import type { Predicate } from "./predicate.js";

/** Conditions of one `where`: one value, or one operator, of one field each. */
const maxConditions = 50;

/** Objects inside each other; the outermost is the first. */
const maxLevels = 8;

/** What is wrong with a `where`: one sentence that names the place. */
export class InvalidWhere extends Error {}

/**
 * The predicate that a JSON `where` stands for (platform contract, P1).
 *
 * @throws {InvalidWhere} for the first mistake.
 */
export function readWhere<Values>(table: Table<Values>, json: unknown): Predicate {
  return new WhereReader(table).object(json, [], 1);
}

/**
 * @throws {InvalidWhere} where the text is not JSON.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidWhere("where must be JSON");
  }
}

type Path = readonly (string | number)[];

class WhereReader<Values> {
  readonly #table: Table<Values>;
  #conditions = 0;

  constructor(table: Table<Values>) {
    this.#table = table;
  }

  object(json: unknown, path: Path, level: number): Predicate {
    if (!isObject(json)) return refuse(path, "must be an object");
    if (level > maxLevels) return refuse(path, `is deeper than ${maxLevels} levels`);
    const parts = Object.entries(json).map(([key, value]) =>
      this.#member(key, value, [...path, key], level),
    );
    return { kind: "all", parts };
  }

  #member(key: string, value: unknown, path: Path, level: number): Predicate {
    switch (key) {
      case "and":
        return { kind: "all", parts: this.#list(value, path, level) };
      case "or":
        return { kind: "any", parts: this.#list(value, path, level) };
      case "not":
        return { kind: "not", part: this.object(value, path, level + 1) };
      default:
        return this.#field(
          key.startsWith("field:") ? key.slice("field:".length) : key,
          value,
          path,
        );
    }
  }

  #list(value: unknown, path: Path, level: number): readonly Predicate[] {
    if (!Array.isArray(value)) return refuse(path, "must be a list");
    return value.map((part, at) => this.object(part, [...path, at], level + 1));
  }

  #field(name: string, value: unknown, path: Path): Predicate {
    const column = columnOf(this.#table, name);
    if (column === null) return refuse(path, "is not a field to filter by");
    if (!isObject(value)) {
      return this.#compared(path, () => equals(column, operandOf(column.kind, value, path)));
    }
    const entries = Object.entries(value);
    if (entries.length === 0) return refuse(path, "has no operator");
    const parts = entries.map(([word, operand]) => {
      const place = [...path, word];
      if (!isOperator(word)) return refuse(place, "is not an operator");
      return this.#compared(place, () => this.#operator(column, word, operand, place));
    });
    return { kind: "all", parts };
  }

  #operator(
    column: NonNullable<ReturnType<typeof columnOf>>,
    operator: Operator,
    value: unknown,
    path: Path,
  ): Compared {
    const problem = operatorProblem(column, operator);
    if (problem !== null) return { problem };
    if (operator !== "in" && operator !== "nin") {
      return compare(column, operator, operandOf(column.kind, value, path));
    }
    if (!Array.isArray(value)) return refuse(path, "must be a list");
    if (value.length === 0 || value.length > maxListed) {
      return refuse(path, `must have 1 to ${maxListed} values`);
    }
    const operands = value.map((one, at) => operandOf(column.kind, one, [...path, at]));
    const listed = isOneOf(column, operands);
    return operator === "in" ? listed : complement(listed);
  }

  #compared(path: Path, read: () => Compared): Predicate {
    this.#conditions += 1;
    if (this.#conditions > maxConditions) {
      return refuse(path, `is one of more than ${maxConditions} conditions`);
    }
    const compared = read();
    return "problem" in compared ? refuse(path, `: ${compared.problem}`) : compared.predicate;
  }
}

/** A JSON value as text: numbers and booleans are JSON's, everything else is a string. */
function operandOf(kind: string, value: unknown, path: Path): Operand {
  if (value === null) return null;
  const expected = jsonTypes[kind] ?? "string";
  if (typeof value !== expected) return refuse(path, `must be a ${expected} or null`);
  return String(value);
}

const jsonTypes: Readonly<Record<string, "number" | "boolean">> = {
  integer: "number",
  decimal: "number",
  double: "number",
  boolean: "boolean",
};

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refuse(path: Path, what: string): never {
  const place = path.length === 0 ? "where" : path.join(".");
  throw new InvalidWhere(what.startsWith(":") ? `${place}${what}` : `${place} ${what}`);
}

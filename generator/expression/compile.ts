import { didYouMean } from "../../runtime/values/nearest.js";
import { sqlLiteral } from "../../runtime/values/sql/text.js";
import { listWordsBriefly, nfc } from "../../runtime/values/text.js";
import { callOf } from "./functions.js";
import { ExpressionMistake } from "./mistake.js";
import { largest, type Operand, type Size, textOrder, type ValueType } from "./operand.js";
import { parseExpression } from "./parse.js";
import type { Comparison, Node, Operator } from "./tree.js";
import { checkValues, commonType, sqlAs, sqlTypes, type Typed, typed } from "./typed.js";

/** The names that an expression may use. */
export interface Scope {
  /** Null if there is no such field; throws an `ExpressionMistake` for a field that expressions cannot use. */
  operand(name: string, at: number): Operand | null;
  readonly names: readonly string[];
}

export interface Expression {
  /** SQL with a placeholder for each column that the expression reads: `{1}` is the first. */
  readonly sql: string;
  /** The fields that the expression reads, in the order of their placeholders. */
  readonly reads: readonly string[];
}

/** Compiles an expression to SQL for a result of the type; throws an `ExpressionMistake` for the first mistake. */
export function compileExpression(text: string, scope: Scope, type: ValueType): Expression {
  const compiler = new Compiler(scope);
  const sql = sqlAs(compiler.part(parseExpression(text)), type);
  return { sql, reads: compiler.reads };
}

/** Maximum exponent of a literal, beyond that of any stored number. */
const maxExponent = 400;

class Compiler {
  readonly reads: string[] = [];
  readonly #scope: Scope;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  part(node: Node): Typed {
    const { at } = node;
    switch (node.kind) {
      case "field":
        return this.#field(node.name, at);
      case "number":
        return numberOf(node.text, at);
      case "text":
        return textOf(node.value, at);
      case "constant":
        return node.value === null
          ? typed(at, { type: null, sql: "null" })
          : typed(at, { type: "boolean", sql: String(node.value) });
      case "negative":
        return negative(this.part(node.operand), at);
      case "not":
        return typed(at, {
          type: "boolean",
          sql: `(not ${sqlAs(this.part(node.operand), "boolean")})`,
        });
      case "isNull": {
        const test = node.isNot ? "is not null" : "is null";
        return typed(at, { type: "boolean", sql: `(${this.part(node.operand).sql} ${test})` });
      }
      case "binary":
        return binary(node.operator, at, [this.part(node.left), this.part(node.right)]);
      case "case":
        return this.#cases(node);
      case "call":
        return callOf(node.name, { at, operands: node.operands.map((one) => this.part(one)) });
      default:
        return node satisfies never;
    }
  }

  #field(name: string, at: number): Typed {
    const operand = this.#scope.operand(name, at);
    if (operand === null) {
      const { names } = this.#scope;
      const hint = didYouMean(name, names) ?? `the fields are ${listWordsBriefly(names)}`;
      throw new ExpressionMistake(at, `there is no field "${name}"`, hint);
    }
    if (!this.reads.includes(name)) this.reads.push(name);
    const sql = operand.sql(`{${this.reads.indexOf(name) + 1}}`);
    return {
      ...typed(at, { type: operand.type, sql, size: operand.size }),
      values: operand.values,
    };
  }

  #cases({ at, branches, otherwise }: Extract<Node, { kind: "case" }>): Typed {
    const read = branches.map(({ when, value }) => ({
      when: sqlAs(this.part(when), "boolean"),
      value: this.part(value),
    }));
    const values = read.map(({ value }) => value);
    const last = otherwise === null ? null : this.part(otherwise);
    const all = last === null ? values : [...values, last];
    const type = commonType(all);
    if (type === null) return typed(at, { type: null, sql: "null" });
    const parts = read.map(({ when, value }) => `when ${when} then ${sqlAs(value, type)}`);
    const end = last === null ? "end" : `else ${sqlAs(last, type)} end`;
    const size = largest(all.map((one) => one.size));
    return typed(at, { type, sql: `case ${[...parts, end].join(" ")}`, size });
  }
}

function numberOf(text: string, at: number): Typed {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e");
  const [before = "", behind = ""] = mantissa.split(".");
  const power = Number(exponent);
  if (Math.abs(power) > maxExponent) {
    const hint = "write a number in the range that a field can store";
    throw new ExpressionMistake(at, `${text} is too large or too small`, hint);
  }
  const size = {
    digits: Math.max(1, before.length + power),
    places: Math.max(0, behind.length - power),
  };
  return { ...typed(at, { type: "number", sql: `${text}::numeric`, size }), literal: text };
}

function textOf(value: string, at: number): Typed {
  const text = nfc(value);
  const sql = sqlLiteral(text).replaceAll("{", "{{").replaceAll("}", "}}");
  return {
    ...typed(at, { type: "string", sql, size: { characters: [...text].length } }),
    literal: text,
  };
}

function negative(part: Typed, at: number): Typed {
  const number = typed(at, {
    type: "number",
    sql: `(- ${sqlAs(part, "number")})`,
    size: part.size,
  });
  return part.literal === null ? number : { ...number, literal: `-${part.literal}` };
}

type Pair = readonly [Typed, Typed];

function binary(operator: Operator, at: number, pair: Pair): Typed {
  switch (operator) {
    case "and":
    case "or": {
      const [left, right] = pair.map((part) => sqlAs(part, "boolean"));
      return typed(at, { type: "boolean", sql: `(${left} ${operator} ${right})` });
    }
    case "+":
    case "-":
    case "*":
    case "/":
      return calculation(operator, at, pair);
    case "||":
      return joined(at, pair);
    default:
      return comparison(operator, at, pair);
  }
}

function calculation(operator: "+" | "-" | "*" | "/", at: number, pair: Pair): Typed {
  const [left = "", right = ""] = pair.map((part) => sqlAs(part, "number"));
  const divisor = operator === "/" ? `nullif(${right}, 0)` : right;
  return typed(at, {
    type: "number",
    sql: `(${left} ${operator} ${divisor})`,
    size: sizeOf(operator, pair),
  });
}

/** Decimal places of a quotient (`NUMERIC_MAX_DISPLAY_SCALE` in PostgreSQL). */
const quotientPlaces = 1000;

function sizeOf(operator: "+" | "-" | "*" | "/", [left, right]: Pair): Partial<Size> {
  const [one, other] = [left.size, right.size];
  switch (operator) {
    case "*":
      return { digits: one.digits + other.digits, places: one.places + other.places };
    case "/":
      return { digits: one.digits + other.places + 1, places: quotientPlaces };
    default: {
      const size = largest([one, other]);
      return { digits: size.digits + 1, places: size.places };
    }
  }
}

function joined(at: number, pair: Pair): Typed {
  const texts = pair.map(asText);
  const characters = texts.reduce((sum, text) => sum + text.characters, 0);
  const sql = texts.map((text) => text.sql).join(" || ");
  return typed(at, { type: "string", sql: `(${sql})`, size: { characters } });
}

/** Returns an operand of `||`, for which null is an empty string. */
function asText(part: Typed): { readonly sql: string; readonly characters: number } {
  const { type, sql, size, literal } = part;
  switch (type) {
    case null:
      return { sql: "''", characters: 0 };
    case "number":
      return {
        sql: `coalesce(trim_scale(${sql})::text, '')`,
        characters: size.digits + size.places + 2,
      };
    case "date":
      return { sql: `coalesce(service.computed_day(${sql}), '')`, characters: 10 };
    default: {
      const text = sqlAs(part, "string");
      const isWritten = literal !== null;
      return { sql: isWritten ? text : `coalesce(${text}, '')`, characters: size.characters };
    }
  }
}

function comparison(operator: Comparison, at: number, pair: Pair): Typed {
  checkValues(pair);
  const type = commonType(pair);
  if (type === null) return typed(at, { type: "boolean", sql: `null::${sqlTypes.boolean}` });
  const [left = "", right = ""] = pair.map((part) => sqlAs(part, type));
  const order = type === "string" && operator !== "=" && operator !== "<>" ? textOrder : "";
  return typed(at, { type: "boolean", sql: `(${left}${order} ${operator} ${right})` });
}

import { didYouMean } from "../../runtime/values/nearest.js";
import { listWords } from "../../runtime/values/text.js";
import { ExpressionMistake } from "./mistake.js";
import { largest, type Size, textOrder, type ValueType } from "./operand.js";
import { checkValues, commonType, sqlAs, sqlTypes, type Typed, typed } from "./typed.js";

interface Call {
  readonly at: number;
  readonly operands: readonly Typed[];
}

interface FunctionOf {
  /** Minimum and maximum number of operands. */
  readonly takes: readonly [number, number];
  readonly example: string;
  make(call: Call): Typed;
}

/** Any number of operands, as an expression cannot have more. */
const any = 1000;

/** The SQL of a function call in an expression. */
export function callOf(name: string, call: Call): Typed {
  const found = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (found === undefined) {
    const names = Object.keys(functions);
    const hint = didYouMean(name, names) ?? `the functions are ${listWords(names)}`;
    throw new ExpressionMistake(call.at, `there is no function "${name}"`, hint);
  }
  const [least, most] = found.takes;
  const { length } = call.operands;
  if (length >= least && length <= most) return found.make(call);
  const number =
    least === most ? least : most === any ? `at least ${least}` : `${least} or ${most}`;
  const message = `${name} takes ${number} ${number === 1 ? "value" : "values"}, but gets ${length}`;
  throw new ExpressionMistake(call.at, message, `for example ${found.example}`);
}

const functions: Readonly<Record<string, FunctionOf>> = {
  round: {
    takes: [1, 2],
    example: "round(price, 2)",
    make({ at, operands: [value, places] }) {
      const number = ofType(value, "number");
      if (places === undefined) return rounded(at, value, `round(${number})`);
      const most = wholeLiteral(places) ?? maxRounded;
      const size = { digits: digitsOf(value) + 1, places: Math.max(0, most) };
      return typed(at, { type: "number", sql: `round(${number}, ${whole(places)})`, size });
    },
  },
  floor: rounding("floor"),
  ceil: rounding("ceil"),
  abs: {
    takes: [1, 1],
    example: "abs(balance)",
    make: ({ at, operands: [value] }) =>
      typed(at, { type: "number", sql: `abs(${ofType(value, "number")})`, size: value?.size }),
  },
  least: chosen("least", { takes: [1, any], example: "least(price, 100)", order: textOrder }),
  greatest: chosen("greatest", {
    takes: [1, any],
    example: "greatest(stock, 0)",
    order: textOrder,
  }),
  coalesce: chosen("coalesce", { takes: [1, any], example: "coalesce(discount, 0)", order: "" }),
  nullif: chosen("nullif", { takes: [2, 2], example: "nullif(quantity, 0)", order: "" }),
  lower: ofText("lower", "lower(name)", textOrder),
  upper: ofText("upper", "upper(code)", textOrder),
  trim: ofText("btrim", "trim(name)"),
  length: {
    takes: [1, 1],
    example: "length(name)",
    make: ({ at, operands: [value] }) =>
      typed(at, {
        type: "number",
        sql: `length(${ofType(value, "string")})::numeric`,
        size: { digits: 10 },
      }),
  },
  left: part("left"),
  right: part("right"),
  replace: {
    takes: [3, 3],
    example: "replace(name, '-', ' ')",
    make({ at, operands }) {
      const [value, , by] = operands;
      const sql = operands.map((one) => ofType(one, "string")).join(", ");
      const times = Math.max(1, by?.size.characters ?? 0);
      const characters = (value?.size.characters ?? 0) * times;
      return typed(at, { type: "string", sql: `replace(${sql})`, size: { characters } });
    },
  },
  year: ofDate("year"),
  month: ofDate("month"),
  day: ofDate("day"),
};

/** Maximum number of decimal places to which PostgreSQL rounds (`NUMERIC_MAX_RESULT_SCALE`). */
const maxRounded = 2000;
/** Maximum number of characters that one character may become when its case changes: `ΐ` in upper case is three. */
const maxCaseCharacters = 3;

function rounding(name: string): FunctionOf {
  return {
    takes: [1, 1],
    example: `${name}(price)`,
    make: ({ at, operands: [value] }) => rounded(at, value, `${name}(${ofType(value, "number")})`),
  };
}

function rounded(at: number, value: Typed | undefined, sql: string): Typed {
  return typed(at, { type: "number", sql, size: { digits: digitsOf(value) + 1 } });
}

interface Choice extends Pick<FunctionOf, "takes" | "example"> {
  /** The collation used to compare strings. */
  readonly order: string;
}

/** Returns a function that selects one of its operands, which must have the same type. */
function chosen(name: string, { takes, example, order }: Choice): FunctionOf {
  return {
    takes,
    example,
    make({ at, operands }) {
      if (name === "nullif") checkValues(operands);
      const type = commonType(operands);
      if (type === null) return typed(at, { type: null, sql: "null" });
      const [first = "", ...others] = operands.map((one) => sqlAs(one, type));
      const ordered = type === "string" ? first + order : first;
      const size = largest(operands.map((one) => one.size));
      return typed(at, { type, sql: `${name}(${[ordered, ...others].join(", ")})`, size });
    },
  };
}

function ofText(name: string, example: string, order = ""): FunctionOf {
  return {
    takes: [1, 1],
    example,
    make({ at, operands: [value] }) {
      const characters = (value?.size.characters ?? 0) * (order === "" ? 1 : maxCaseCharacters);
      return typed(at, {
        type: "string",
        sql: `${name}(${ofType(value, "string")}${order})`,
        size: { characters },
      });
    },
  };
}

function part(name: string): FunctionOf {
  return {
    takes: [2, 2],
    example: `${name}(code, 3)`,
    make({ at, operands: [value, length] }) {
      const sql = `${name}(${ofType(value, "string")}, ${whole(length)})`;
      return typed(at, { type: "string", sql, size: value?.size });
    },
  };
}

function ofDate(name: string): FunctionOf {
  return {
    takes: [1, 1],
    example: `${name}(releasedOn)`,
    make: ({ at, operands: [value] }) =>
      typed(at, {
        type: "number",
        sql: `extract(${name} from ${ofType(value, "date")})`,
        size: { digits: 4 },
      }),
  };
}

function ofType(value: Typed | undefined, type: ValueType): string {
  return value === undefined ? `null::${sqlTypes[type]}` : sqlAs(value, type);
}

/** Returns SQL of an integer for PostgreSQL's functions; its value is null if they do not accept it. */
function whole(value: Typed | undefined): string {
  const literal = value === undefined ? null : wholeLiteral(value);
  return literal === null ? `service.computed_position(${ofType(value, "number")})` : `${literal}`;
}

function wholeLiteral({ literal, type }: Typed): number | null {
  return type === "number" && literal !== null && /^-?\d{1,9}$/.test(literal)
    ? Number(literal)
    : null;
}

function digitsOf(value: { readonly size: Size } | undefined): number {
  return value?.size.digits ?? 0;
}

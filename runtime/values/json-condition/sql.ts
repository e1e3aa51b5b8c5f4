import type { JsonTest } from "./test.js";

/** Returns SQL for a value of this type in the statement. */
export type ValueSql = (
  value: string | readonly string[],
  type: "text" | "jsonb" | "jsonb[]",
) => string;

/** SQL for a test of a column, which is given as SQL. It may be null instead of false. */
export function jsonTestSql(test: JsonTest, column: string, valueSql: ValueSql): string {
  switch (test.kind) {
    case "has":
      return `${column} @> ${valueSql(test.value, "jsonb")}`;
    case "absent":
      return `coalesce(jsonb_typeof(${memberSql(column, test.keys, valueSql)}), 'null') = 'null'`;
    case "oneOf": {
      const member = memberSql(column, test.keys, valueSql);
      const [only] = test.values;
      return test.values.length === 1 && only !== undefined
        ? `${member} = ${valueSql(only, "jsonb")}`
        : `${member} = any (${valueSql(test.values, "jsonb[]")})`;
    }
    case "compared": {
      const member = memberSql(column, test.keys, valueSql);
      const { bound, operator } = test;
      // The type is tested too, because PostgreSQL can compare values of different types.
      if (typeof bound === "number") {
        const number = valueSql(String(bound), "jsonb");
        return `(jsonb_typeof(${member}) = 'number' and ${member} ${operator} ${number})`;
      }
      const text = `(${textOf(member)}) collate "und-x-icu"`;
      return `(${isText(member)} and ${text} ${operator} ${valueSql(bound, "text")})`;
    }
    case "like": {
      const member = memberSql(column, test.keys, valueSql);
      const pattern = `service.fold_text(${valueSql(test.pattern, "text")})`;
      return `(${isText(member)} and service.fold_text(${textOf(member)}) like ${pattern})`;
    }
    case "any":
      return `(${test.parts.map((part) => jsonTestSql(part, column, valueSql)).join(" or ")})`;
    case "not":
      return `(${jsonTestSql(test.part, column, valueSql)}) is not true`;
    default:
      return test satisfies never;
  }
}

/** SQL for a member; null if it is missing. A numeric key may be a key of an object or an index of a list. */
function memberSql(column: string, keys: readonly string[], valueSql: ValueSql): string {
  return keys.reduce((value, key) => {
    const sql = valueSql(key, "text");
    // PostgreSQL would also accept `-1` and ` 1` as list indexes in paths.
    return /^\d+$/.test(key) ? `(${value} #> array[${sql}])` : `(${value} -> ${sql})`;
  }, column);
}

function isText(member: string): string {
  return `jsonb_typeof(${member}) = 'string'`;
}

function textOf(member: string): string {
  return `${member} #>> '{}'`;
}

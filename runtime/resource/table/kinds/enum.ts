import { z } from "zod";
import { type Kind, kindDefaults, reads } from "./kind.js";
import { expecting } from "./value/schema.js";

export const enumKind: Kind = {
  ...kindDefaults,
  ...reads((value, { values = [] }) =>
    values.includes(value) ? { value } : { problem: oneOf(values) },
  ),
  sqlType: "text",
  comparisons: "whole",
  aggregations: () => ["value"],
  /** Sorts in the order of the descriptor. */
  sortKey: (value, { values = [] }) => {
    const listed = values.map((one) => `'${one.replaceAll("'", "''")}'`).join(", ");
    // An adopted column may have an enum type of the database.
    return `array_position(array[${listed}], ${value}::text)`;
  },
  counted: ({ values = [] }) => values,
};

/** An adopted column: values outside the list sort after those in it. */
export const openEnumKind: Kind = {
  ...enumKind,
  sortKey: (value, column) =>
    `case when ${value} is not null then coalesce(${enumKind.sortKey(value, column)}, ${maxPlace}) end`,
  jsonText: (value) => `to_json(${value}::text)::text`,
};

/** Greater than the position of any value in the list. */
const maxPlace = 1_000_000;

/** One of the given values. */
export function enumeration<const Value extends string>(
  values: readonly [Value, ...Value[]],
): z.ZodType<Value> {
  return z.literal([...values], expecting(oneOf(values)));
}

function oneOf(values: readonly string[]): string {
  return `Must be one of: ${values.join(", ")}`;
}

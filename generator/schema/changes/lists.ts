import type { Column } from "../../../runtime/values/schema/schema.js";
import type { Conversion } from "../../kind/column/conversion.js";
import { elementType, isListType } from "../../kind/list/column.js";

export function isList({ type }: Pick<Column, "type">): boolean {
  return isListType(type);
}

/** The column of one element of a list. */
export function elementColumn(column: Column): Column {
  const { type, check } = column;
  const element = check?.rule === "list" ? check.element : check;
  return { ...column, type: elementType(type), check: element };
}

/** Converts a value to the only element of a list; an empty value becomes an empty list. */
export function intoList(
  { value, readable, ...others }: Conversion,
  { check }: Column,
): Conversion {
  // A list that must not be empty gets its default, or the row is rejected.
  const empty = check?.rule === "list" && check.least > 0 ? "null" : "'{}'";
  return {
    ...others,
    value: (former) => `case when ${former} is null then ${empty} else array[${value(former)}] end`,
    readable,
  };
}

/** Converts the first element of a list to the value; the others are lost. */
export function outOfList({ value, readable, ...others }: Conversion): Conversion {
  return {
    ...others,
    value: (former) => value(first(former)),
    readable: readable === null ? null : (former) => ifAny(former, readable(first(former))),
    isLossy: true,
  };
}

function first(list: string): string {
  return `(${list})[1]`;
}

function ifAny(list: string, condition: string): string {
  return `(cardinality(${list}) = 0 or ${condition})`;
}

/** Converts each element. */
export function listToList({ value, readable, ...others }: Conversion): Conversion {
  return {
    ...others,
    value: (former) =>
      `array(select ${value("element")} from unnest(${former}) with ordinality as list (element, place) order by place)`,
    readable:
      readable === null
        ? null
        : (former) =>
            `(select coalesce(bool_and(${readable("element")}), true) from unnest(${former}) as list (element))`,
  };
}

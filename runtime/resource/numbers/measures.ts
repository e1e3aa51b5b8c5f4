import { kindOf } from "../table/kinds/kinds.js";
import type { Column } from "../table/table.js";
import type { Measure } from "./aggregate-query.js";

/** The measured columns without duplicates; `at` below is a column's position in this list. */
export function columnsOf(measures: readonly Measure[]): readonly Column[] {
  return [...new Set(measures.map(({ column }) => column))];
}

/** The aggregates of one column, from which `totalOf` derives the sum and `meanOf` the average. */
export function aggregatesOf(measures: readonly Measure[], at: number): readonly string[] {
  return [...new Set(measures.flatMap((measure) => aggregatesFor(measure, at)))];
}

function aggregatesFor({ calculation, column }: Measure, at: number): readonly string[] {
  const { name } = column;
  const sums = () => kindOf(column).sum.parts(name, at);
  switch (calculation) {
    case "min":
    case "max":
      return [`${calculation}(${name}) as _${calculation}_${at}`];
    case "avg":
      return [`count(${name}) as _values_${at}`, ...sums()];
    case "sum":
      return sums();
    default:
      return calculation satisfies never;
  }
}

/** SQL for a column's sum as an exact number, from the result of `aggregatesOf`. */
export function totalOf(column: Column, at: number): string {
  return kindOf(column).sum.total(at);
}

/**
 * SQL for a column's average: exact, with more digits than the nearest double of any magnitude; null without values.
 */
export function meanOf(column: Column, at: number): string {
  const total = totalOf(column, at);
  // NaN and infinity have no scale.
  return `(coalesce(round(${total}, scale(${total}) + 40), ${total}) / nullif(_values_${at}, 0))`;
}

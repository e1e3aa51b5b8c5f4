import type { Field } from "../api/client/types.js";
import { enCharts } from "../text/en/charts.js";
import { en } from "../text/en/en.js";

/** The label of an enum or boolean value. */
export function valueName(field: Field, value: unknown): string {
  if (value === null || value === undefined) return enCharts.noValue;
  if (field.type !== "boolean") return String(value);
  return String(value) === "true" ? en.common.yes : en.common.no;
}

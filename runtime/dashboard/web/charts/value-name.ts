import type { Field } from "../api/client/types.js";
import { kindOf } from "../kinds/kinds.js";
import { enCharts } from "../text/en/charts.js";

/** Returns the label of an enum or boolean value. */
export function valueName(field: Field, value: unknown): string {
  if (value === null || value === undefined) return enCharts.noValue;
  return kindOf(field).words(value);
}

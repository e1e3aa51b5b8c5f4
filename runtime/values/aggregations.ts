/**
 * How `_aggregate` can use the values of a kind. `total`: sum and average; `extreme`: minimum and maximum; `value`:
 * groups by equal value; `period`: groups by day, week, month or year.
 */
export type Aggregation = "total" | "extreme" | "value" | "period";

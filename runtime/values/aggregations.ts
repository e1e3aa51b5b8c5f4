/**
 * How `_aggregate` can use values of a kind. `total`: sum and average; `extreme`: minimum and maximum; `value`: groups
 * of equal values; `period`: groups by day, week, month or year.
 */
export type Aggregation = "total" | "extreme" | "value" | "period";

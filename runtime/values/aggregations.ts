/**
 * What `_aggregate` makes of the values of a kind. `total`: their sum and average; `extreme`: the least and greatest;
 * `value`: groups of the records with the same value; `period`: groups by the day, week, month or year of a time.
 */
export type Aggregation = "total" | "extreme" | "value" | "period";

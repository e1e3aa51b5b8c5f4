import { BodyReader, type Issues, type Parameters } from "../../http/index.js";
import { type ConditionParameters, takeConditions } from "../query/conditions.js";
import { type IncludeParameters, takeIncludes } from "../query/include-parameters.js";
import { readIncludes, readSearchText } from "../query/query-body.js";

export const calculations = ["sum", "avg", "min", "max"] as const;
export type Calculation = (typeof calculations)[number];

/** The query of an aggregation as plain values, identical from a URL and from a body. */
export interface AggregateParameters extends ConditionParameters {
  readonly measures: Readonly<Record<Calculation, readonly string[]>>;
  readonly by: readonly string[];
  readonly distinct: readonly string[];
  readonly sort?: string | undefined;
  readonly perPage: number;
  readonly timezone?: string | undefined;
  readonly include?: readonly IncludeParameters[] | undefined;
}

const perPageRange = { min: 1, max: 1000, default: 100 };

/** Removes an aggregation's parameters from the query string and returns them. */
export function takeAggregate(parameters: Parameters): AggregateParameters {
  return {
    ...read(parameters, (name) => parameters.takeList(name)),
    ...takeConditions(parameters),
    sort: parameters.take("sort"),
    perPage: parameters.takeInteger("perPage", perPageRange),
    timezone: parameters.take("timezone"),
    include: takeIncludes(parameters),
  };
}

/** Parses the body of an aggregation: its parameters as JSON. */
export function readAggregateBody(
  body: Readonly<Record<string, unknown>>,
  issues: Issues,
): AggregateParameters {
  const reader = new BodyReader(body, issues);
  const requested: AggregateParameters = {
    ...read(issues, (name) => reader.list(name)),
    filters: [],
    where: reader.take("where"),
    q: reader.text("q"),
    search: readSearchText(reader.take("search"), issues),
    sort: reader.text("sort"),
    perPage: reader.integer("perPage", perPageRange),
    timezone: reader.text("timezone"),
    include: readIncludes(reader.take("include"), issues),
  };
  reader.finish();
  return requested;
}

/** Parses lists of names. */
function read(
  issues: Issues,
  listOf: (name: string) => readonly string[] | undefined,
): Pick<AggregateParameters, "measures" | "by" | "distinct"> {
  const list = (name: string) => {
    const names = listOf(name) ?? [];
    if (new Set(names).size < names.length) issues.reject(name, "Names a field twice");
    return [...new Set(names)];
  };
  const measures = { sum: list("sum"), avg: list("avg"), min: list("min"), max: list("max") };
  return { measures, by: list("by"), distinct: list("distinct") };
}

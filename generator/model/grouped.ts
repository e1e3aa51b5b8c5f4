import { isAggregated } from "../kind/kinds.js";
import type { Model, Resource } from "./model.js";
import { knownTimes } from "./times.js";

/** The names by which `_aggregate` can group, including fields of linked records. */
export interface Grouped {
  /** Names grouped by value. */
  readonly values: readonly string[];
  /** Names grouped by day, week, month and year. */
  readonly times: readonly string[];
}

export function groupedFields(resource: Resource): Grouped {
  const { fields } = resource;
  return {
    values: fields.filter((field) => isAggregated(field, "value")).map(({ name }) => name),
    times: timesOf(resource),
  };
}

/** The resource's own fields, and those one link away. */
export function groupedBy(resource: Resource, { resources }: Model): Grouped {
  const own = groupedFields(resource);
  const further = resource.links.map(({ name, resource: to }) => {
    const target = resources.find((one) => one.name === to);
    const { values, times } = target === undefined ? accountGrouped : groupedFields(target);
    const behind = (fields: readonly string[]) => fields.map((field) => `${name}.${field}`);
    return { values: behind(values), times: behind(times) };
  });
  return {
    values: [...own.values, ...further.flatMap(({ values }) => values)],
    times: [...own.times, ...further.flatMap(({ times }) => times)],
  };
}

/** The properties by which accounts can be grouped. */
export const accountGrouped: Grouped = { values: ["name"], times: [] };

/** The dates and timestamps of a record. */
export function timesOf({ fields, times }: Resource): readonly string[] {
  const own = fields.filter((field) => isAggregated(field, "period"));
  return [...own.map(({ name }) => name), ...knownTimes(times)];
}

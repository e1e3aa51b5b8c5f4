import type { Aggregation } from "../../../runtime/values/aggregations.js";
import type { Schema } from "../../kind/kind.js";
import { isAggregated } from "../../kind/kinds.js";
import { groupedBy } from "../../model/grouped.js";
import type { Model, Resource } from "../../model/model.js";
import { knownTimes } from "../../model/times.js";
import { schemaRef, string } from "../operation.js";
import type { DescribedNames } from "./names.js";
import {
  includeParameters,
  includeSchema,
  type NamesOf,
  namesParameter,
  parameterRef,
  query,
  searchMember,
} from "./parameters.js";

interface Around {
  readonly model: Model;
  readonly namesOf: NamesOf;
}

export function aggregateParameters(
  resource: Resource,
  names: DescribedNames,
  { model, namesOf }: Around,
): readonly Schema[] {
  const lists = Object.entries(listSchemas(resource, names, model));
  return [
    // An empty list can be sent only in a body.
    ...lists.map(([name, schema]) => namesParameter(name, { ...schema, minItems: 1 })),
    query("sort", string, sortMeaning),
    parameterRef("GroupsPerPage"),
    parameterRef("Timezone"),
    ...includeParameters(linksOnly(resource), namesOf),
  ];
}

/** Returns the schemas for the names in `by` and `distinct`, and for the body of an aggregation. */
export function aggregateSchemas(
  resource: Resource,
  names: DescribedNames,
  { model, namesOf }: Around,
): Readonly<Record<string, Schema>> {
  const { values, times } = groupedBy(resource, model);
  const { sums, bounds } = measured(resource);
  const isLinked = linksOnly(resource).links.length > 0;
  const included = isLinked ? includedSchema(resource, namesOf) : {};
  const lists = resource.lists.map(({ field }) => field);
  const named: Schema = { type: "string", pattern: `^(?:${alternatives(values)})$` };
  const timed: Schema = {
    type: "string",
    pattern: `^(?:${alternatives(times)}):(?:day|week|month|year)$`,
  };
  return {
    ...(sums.length > 0 && { [names.Sum]: namesSchema(sums) }),
    [names.Bound]: namesSchema(bounds),
    ...(values.length > 0 && { [names.GroupField]: named }),
    [names.Group]: anyOf([
      ...(values.length > 0 ? [schemaRef(names.GroupField)] : []),
      ...(lists.length > 0 ? [{ type: "string", enum: lists }] : []),
      timed,
    ]),
    [names.Aggregate]: {
      allOf: [schemaRef("AnyAggregate")],
      properties: {
        ...listSchemas(resource, names, model),
        where: schemaRef(names.Where),
        ...searchMember(resource),
        ...included,
      },
      unevaluatedProperties: false,
    },
  };
}

export const sharedAggregateSchema: Schema = {
  type: "object",
  properties: {
    q: { type: "string", maxLength: 200 },
    sort: string,
    perPage: { type: "integer", minimum: 1, maximum: 1000 },
    timezone: string,
  },
};

const sortMeaning =
  "`count`, `sum.price`, or a name in `by`; a leading `-` sorts in descending order.";

function listSchemas(
  resource: Resource,
  names: DescribedNames,
  model: Model,
): Record<string, Schema> {
  const [sum, bound] = [schemaRef(names.Sum), schemaRef(names.Bound)];
  const distinct: Schema = {
    type: "array",
    maxItems: 8,
    uniqueItems: true,
    items: schemaRef(names.GroupField),
  };
  return {
    ...(measured(resource).sums.length > 0 && { sum, avg: sum }),
    min: bound,
    max: bound,
    by: { type: "array", maxItems: 2, items: schemaRef(names.Group) },
    ...(groupedBy(resource, model).values.length > 0 && { distinct }),
  };
}

/** The fields with a sum, and those with a minimum and a maximum. */
function measured({ fields, times }: Resource) {
  const named = (as: Aggregation) =>
    fields.filter((field) => isAggregated(field, as)).map(({ name }) => name);
  return { sums: named("total"), bounds: [...named("extreme"), ...knownTimes(times)] };
}

function namesSchema(all: readonly string[]): Schema {
  return {
    type: "array",
    uniqueItems: true,
    items: { type: "string", enum: all },
  };
}

/** Returns a pattern of names, grouped by link: `name|customer\\.(?:name|level)`. */
function alternatives(all: readonly string[]): string {
  const own = all.filter((name) => !name.includes("."));
  const further = new Map<string, string[]>();
  for (const name of all) {
    const [link = "", field] = name.split(".");
    if (field !== undefined) further.set(link, [...(further.get(link) ?? []), field]);
  }
  const linked = [...further].map(([link, fields]) => `${link}\\.(?:${fields.join("|")})`);
  return [...own, ...linked].join("|");
}

function includedSchema(resource: Resource, namesOf: NamesOf): Record<string, Schema> {
  return { include: { ...includeSchema(linksOnly(resource), namesOf), minProperties: 1 } };
}

/** Treats each entry of a list as a link, and removes inverses: groups include linked records only. */
function linksOnly(resource: Resource): Resource {
  const { links, lists } = resource;
  return { ...resource, links: [...links, ...lists], lists: [], inverses: [] };
}

function anyOf(schemas: readonly Schema[]): Schema {
  const [only, ...others] = schemas;
  return only !== undefined && others.length === 0 ? only : { anyOf: schemas };
}

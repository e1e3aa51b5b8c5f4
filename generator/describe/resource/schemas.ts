import type { Schema } from "../../kind/kind.js";
import { type Model, type Resource, severalOf } from "../../model/model.js";
import { boolean, integer, objectSchema, schemaRef, string } from "../operation.js";
import { nameSchemas } from "./name-schemas.js";
import type { DescribedNames } from "./names.js";
import {
  fieldsSchema,
  highlightMember,
  includeSchema,
  type NamesOf,
  searchMember,
  sortSchema,
} from "./parameters.js";
import { positionMember } from "./position.js";
import { recordSchemas } from "./record.js";
import { trashMember } from "./trash.js";
import { type SharedEnums, whereSchema } from "./where.js";

interface Around {
  readonly namesOf: NamesOf;
  readonly enums: SharedEnums;
  readonly model: Model;
}

export function resourceSchemas(
  resource: Resource,
  names: DescribedNames,
  { namesOf, enums, model }: Around,
): Readonly<Record<string, Schema>> {
  const whereOf = (other: string) => namesOf(other)?.Where ?? "PersonWhere";
  return {
    ...recordSchemas(resource, names, namesOf),
    [names.Where]: whereSchema(resource, names, { whereOf, enums }),
    ...nameSchemas(resource, names, model),
    ...(hasRelations(resource) && { [names.Include]: includeSchema(resource, namesOf) }),
    [names.Query]: querySchema(resource, names),
    [names.Page]: objectSchema({
      data: { type: "array", items: shownSchema(names) },
      meta: schemaRef("Meta"),
    }),
  };
}

export function hasRelations(resource: Resource): boolean {
  return resource.links.length + severalOf(resource).length > 0;
}

/** Returns the schema of the body of `_query`. */
function querySchema(resource: Resource, names: DescribedNames): Schema {
  return {
    allOf: [schemaRef("AnyQuery")],
    properties: {
      where: schemaRef(names.Where),
      sort: sortSchema(names),
      fields: fieldsSchema(names),
      ...positionMember(resource),
      ...trashMember(resource),
      ...searchMember(resource),
      ...highlightMember(resource),
      ...(hasRelations(resource) && {
        include: { allOf: [schemaRef(names.Include)], minProperties: 1 },
      }),
    },
    unevaluatedProperties: false,
  };
}

/** The properties of `_query` that all resources share. */
export const sharedQuerySchema: Schema = {
  type: "object",
  properties: {
    q: { type: "string", maxLength: 200 },
    page: { type: "integer", minimum: 1 },
    perPage: { type: "integer", minimum: 1, maximum: 100 },
    cursor: string,
    etags: boolean,
  },
};

/** Returns the schema of a complete or partial record. */
export function shownSchema(names: DescribedNames): Schema {
  return { anyOf: [schemaRef(names.Record), schemaRef(names.Part)] };
}

/** The response of `_stats`. */
export const countsSchema: Schema = objectSchema(
  {
    total: integer,
    current: integer,
    previous: integer,
    values: { type: "object", additionalProperties: integer },
    series: {
      type: "array",
      items: objectSchema({ from: { type: "string", format: "date" }, count: integer }),
    },
  },
  ["series"],
);

/** The response of `_aggregate`. */
export const groupsSchema: Schema = objectSchema({
  data: {
    type: "array",
    items: objectSchema(
      {
        // Objects are records of links.
        by: values(["string", "number", "boolean", "object", "null"]),
        count: integer,
        sum: values(["number"]),
        avg: values(["number", "null"]),
        min: values(["number", "string", "null"]),
        max: values(["number", "string", "null"]),
        distinct: values(["integer"]),
      },
      ["sum", "avg", "min", "max", "distinct"],
    ),
  },
  meta: objectSchema({ more: boolean }),
});

function values(types: readonly string[]): Schema {
  return { type: "object", additionalProperties: { type: types } };
}

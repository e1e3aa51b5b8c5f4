import type { Schema } from "../../kind/kind.js";
import { isFile, kindOf } from "../../kind/kinds.js";
import { timesOf } from "../../model/grouped.js";
import type { Model, Resource } from "../../model/model.js";
import { resourceOperations } from "../../model/operations.js";
import { aggregateExample, queryExample } from "../examples/examples.js";
import { fileBody, nameParameter } from "../files.js";
import { emptyAnswer, jsonAnswer, jsonBody, type Operation, schemaRef } from "../operation.js";
import type { RefusalName } from "../refusals.js";
import { aggregateParameters } from "./aggregate.js";
import { historyOperationsOf } from "./history.js";
import type { DescribedNames } from "./names.js";
import {
  conditionParameters,
  fieldsParameter,
  highlightParameters,
  idParameter,
  includeParameters,
  type NamesOf,
  parameterRef,
  sortParameter,
} from "./parameters.js";
import { positionParameters } from "./position.js";
import { shownSchema } from "./schemas.js";
import {
  deletedAtParameter,
  restoreOperationsOf,
  skipParameters,
  trashParameters,
} from "./trash.js";
import { withoutToken } from "./without-token.js";

const writes = ["Forbidden", "BadBody", "MediaType", "Invalid", "Conflict"] as const;

const headersOfWrite: Schema = {
  ETag: { $ref: "#/components/headers/ETag" },
  "Idempotency-Replayed": { $ref: "#/components/headers/Replayed" },
};

/** `components.headers`. */
export const sharedHeaders: Schema = {
  ETag: { description: "The record's ETag.", schema: { type: "string" } },
  Replayed: {
    description: "The response to the first request with this key.",
    schema: { type: "string", const: "true" },
  },
};

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a table of operations
export function resourceOperationsOf(
  resource: Resource,
  names: DescribedNames,
  { model, namesOf }: { readonly model: Model; readonly namesOf: NamesOf },
): readonly Operation[] {
  const { name, label, singular } = resource;
  const ids = resourceOperations(resource);
  const path = `/${name}`;
  const one = `${path}/{id}`;
  const id = [idParameter(resource)];
  const tag = name;
  const record = (description: string, more: Schema = {}) =>
    jsonAnswer(description, schemaRef(names.Record), more);
  const reads: readonly RefusalName[] = ["Forbidden", "BadQuery"];
  const key = parameterRef("Key");
  const tagged = [...id, parameterRef("IfMatch"), key];
  const included = includeParameters(resource, namesOf);
  const conditions = conditionParameters(resource, names);
  const operations: readonly Operation[] = [
    {
      id: ids.list,
      method: "get",
      path,
      tag,
      summary: `${label}: list`,
      parameters: [
        parameterRef("Page"),
        parameterRef("PerPage"),
        sortParameter(names),
        fieldsParameter(names),
        ...included,
        parameterRef("Cursor"),
        parameterRef("Etags"),
        ...positionParameters(resource),
        ...trashParameters(resource),
        ...deletedAtParameter(resource),
        ...highlightParameters(resource),
        ...conditions,
      ],
      answers: { 200: jsonAnswer("The page.", schemaRef(names.Page)) },
      refusals: reads,
    },
    {
      id: ids.query,
      method: "post",
      path: `${path}/_query`,
      tag,
      summary: `${label}: query`,
      body: jsonBody(schemaRef(names.Query)),
      example: queryExample,
      answers: { 200: jsonAnswer("The page.", schemaRef(names.Page)) },
      refusals: [...reads, "MediaType"],
    },
    {
      id: ids.create,
      method: "post",
      path,
      tag,
      summary: `${singular}: create`,
      parameters: [key],
      body: jsonBody(schemaRef(names.Create)),
      example: names.Record,
      answers: {
        201: record("The new record.", {
          headers: { Location: { schema: { type: "string" } }, ...headersOfWrite },
        }),
      },
      refusals: writes,
    },
    {
      id: ids.stats,
      method: "get",
      path: `${path}/_stats`,
      tag,
      summary: `${label}: counts`,
      parameters: [
        ...fieldParameter(resource),
        atParameter(resource),
        parameterRef("Days"),
        parameterRef("Series"),
        parameterRef("Timezone"),
        ...conditions,
      ],
      answers: { 200: jsonAnswer("The counts.", schemaRef("Counts")) },
      refusals: reads,
    },
    {
      id: ids.aggregate,
      method: "get",
      path: `${path}/_aggregate`,
      tag,
      summary: `${label}: aggregate by group`,
      parameters: [...aggregateParameters(resource, names, { model, namesOf }), ...conditions],
      answers: { 200: jsonAnswer("The groups.", schemaRef("Groups")) },
      refusals: reads,
    },
    {
      id: ids.aggregateByBody,
      method: "post",
      path: `${path}/_aggregate`,
      tag,
      summary: `${label}: aggregate by group`,
      body: jsonBody(schemaRef(names.Aggregate)),
      example: aggregateExample,
      answers: { 200: jsonAnswer("The groups.", schemaRef("Groups")) },
      refusals: [...reads, "MediaType"],
    },
    {
      id: ids.get,
      method: "get",
      path: one,
      tag,
      summary: `${singular}: read`,
      parameters: [
        ...id,
        fieldsParameter(names),
        ...included,
        ...positionParameters(resource),
        ...trashParameters(resource),
        parameterRef("IfNoneMatch"),
      ],
      answers: {
        200: jsonAnswer("The record.", shownSchema(names), {
          headers: { ETag: headersOfWrite.ETag ?? {} },
        }),
        304: emptyAnswer("Unchanged."),
      },
      refusals: [...reads, "NotFound"],
    },
    {
      id: ids.update,
      method: "patch",
      path: one,
      tag,
      summary: `${singular}: change some fields`,
      parameters: tagged,
      body: jsonBody(schemaRef(names.Update)),
      example: names.Record,
      answers: { 200: record("The record.", { headers: headersOfWrite }) },
      refusals: [...writes, "NotFound", "Stale"],
    },
    {
      id: ids.replace,
      method: "put",
      path: one,
      tag,
      summary: `${singular}: set all fields, and clear those that are omitted`,
      parameters: tagged,
      body: jsonBody(schemaRef(names.Replace)),
      example: names.Record,
      answers: { 200: record("The record.", { headers: headersOfWrite }) },
      refusals: [...writes, "NotFound", "Stale"],
    },
    {
      id: ids.delete,
      method: "delete",
      path: one,
      tag,
      summary: `${singular}: delete`,
      parameters: [...tagged, ...skipParameters(resource)],
      answers: { 204: emptyAnswer("Deleted.") },
      refusals: ["Forbidden", "NotFound", "InUse", "BadBody", "Stale", "Invalid"],
    },
    ...restoreOperationsOf(resource, names, model),
    ...historyOperationsOf(resource, names),
    ...uploads(resource),
  ];
  return withoutToken(operations, resource, names);
}

/** Returns the parameter of `_stats` that names the field whose values are counted. */
function fieldParameter({ fields }: Resource): readonly Schema[] {
  const counted = fields.filter((field) => kindOf(field).counted(field).length > 0);
  if (counted.length === 0) return [];
  const names = counted.map(({ name }) => name);
  return [{ name: "field", in: "query", schema: { type: "string", enum: names } }];
}

/** Returns the parameter of `_stats` that names the time field. */
function atParameter(resource: Resource): Schema {
  return { name: "at", in: "query", schema: { type: "string", enum: timesOf(resource) } };
}

function uploads(resource: Resource): readonly Operation[] {
  const { name, singular, fields } = resource;
  const ids = resourceOperations(resource).uploads;
  return fields.filter(isFile).map((field) => ({
    id: ids.get(field.name) ?? "",
    method: "put",
    path: `/_service/uploads/${name}/${field.name}`,
    tag: name,
    summary: `${singular}: upload for ${field.name}`,
    parameters: [nameParameter],
    body: fileBody,
    answers: { 201: jsonAnswer("The stored file.", schemaRef("FileDetails")) },
    refusals: ["Forbidden", "RefusedFile", "MediaType"],
  }));
}

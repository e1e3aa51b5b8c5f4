import type { Schema } from "../kind/kind.js";
import type { ServiceMethod } from "../model/operations.js";
import {
  emptyAnswer,
  jsonAnswer,
  jsonBody,
  listSchema,
  nullable,
  type Operation,
  objectSchema,
  schemaRef,
  string,
  timestamp,
  uuid,
} from "./operation.js";
import { parameterRef } from "./resource/parameters.js";

/** The pattern requires a visible character, as values are trimmed. */
const name: Schema = { type: "string", minLength: 1, maxLength: 100, pattern: "\\S" };
const query: Schema = { type: "string", maxLength: 4000 };

export function viewSchemas(resources: readonly string[]): Readonly<Record<string, Schema>> {
  return {
    ListedResource: resources.length === 0 ? string : { type: "string", enum: resources },
    SharedView: objectSchema({
      id: uuid,
      resource: string,
      name: string,
      query: string,
      by: nullable(objectSchema({ id: uuid, name: string })),
      createdAt: timestamp,
    }),
  };
}

const listed = schemaRef("ListedResource");
const onOne = [parameterRef("Id")];

/** Operations on saved views: 404 in an app without accounts. */
export const viewOperations = {
  views: {
    summary: "The views of a resource's list, by name",
    parameters: [{ name: "resource", in: "query", required: true, schema: listed }],
    answers: { 200: jsonAnswer("The views.", listSchema(schemaRef("SharedView"))) },
    refusals: ["BadQuery", "Forbidden", "NotFound"],
  },
  createView: {
    summary: "View: create",
    body: jsonBody(objectSchema({ resource: listed, name, query })),
    answers: { 201: jsonAnswer("The new view.", schemaRef("SharedView")) },
    refusals: ["BadBody", "Forbidden", "NotFound", "TooMany", "MediaType", "Invalid"],
  },
  updateView: {
    summary: "View: change it (its author and operators)",
    parameters: onOne,
    body: jsonBody(objectSchema({ name, query }, ["name", "query"])),
    answers: { 200: jsonAnswer("The view.", schemaRef("SharedView")) },
    refusals: ["BadBody", "Forbidden", "NotFound", "MediaType", "Invalid"],
  },
  deleteView: {
    summary: "View: delete it (its author and operators)",
    parameters: onOne,
    answers: { 204: emptyAnswer("Done.") },
    refusals: ["Forbidden", "NotFound"],
  },
} satisfies Partial<Record<ServiceMethod, Partial<Operation>>>;

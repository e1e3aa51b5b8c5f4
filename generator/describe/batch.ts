import { maxOperations } from "../../runtime/values/api/batch.js";
import type { Schema } from "../kind/kind.js";
import type { Model } from "../model/model.js";
import {
  boolean,
  idOfAny,
  integer,
  jsonAnswer,
  jsonBody,
  nullable,
  type Operation,
  objectSchema,
  schemaRef,
  string,
} from "./operation.js";
import { parameterRef, tagList } from "./resource/parameters.js";
import { serviceTagName } from "./service.js";

const values: Schema = { type: "object" };

const issues: Schema = {
  type: "array",
  items: objectSchema({ index: integer, path: string, param: string, message: string }, [
    "index",
    "path",
    "param",
  ]),
};

export function batchSchemas(model: Model): Readonly<Record<string, Schema>> {
  const { resources } = model;
  const id = idOfAny(resources);
  const names = resources.map(({ name }) => name);
  const resource: Schema = names.length === 0 ? string : { type: "string", enum: names };
  const one = { id, ifMatch: tagList };
  const isKept = resources.some(({ trash }) => trash !== null);
  return {
    BatchOperation: {
      anyOf: [
        objectSchema({ create: resource, values }),
        objectSchema({ update: resource, ...one, values }, ["ifMatch"]),
        objectSchema({ upsert: resource, by: string, values }),
        objectSchema({ delete: resource, ...one, ...(isKept && { trash }) }, [
          "ifMatch",
          ...(isKept ? ["trash"] : []),
        ]),
        ...(isKept ? [objectSchema({ restore: resource, id })] : []),
      ],
    },
    ...answersOf(isKept ? { resource: string, id } : {}),
  };
}

const trash: Schema = { type: "string", const: "skip" };

/** Returns the schemas of the results; `record` contains the properties that identify the record to restore. */
function answersOf(record: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
  const more = { issues, field: string, ...record };
  const optional = Object.keys(more);
  return {
    BatchRefusal: objectSchema({ error: string, index: integer, ...more }, ["index", ...optional]),
    BatchError: objectSchema({ index: integer, status: integer, error: string, ...more }, optional),
  };
}

const refused = (description: string) => jsonAnswer(description, schemaRef("BatchRefusal"));

/** Returns the operation `POST /_service/batch`. */
export function batchOperation(model: Model): Operation {
  const record = { type: "object", required: ["id"], properties: { id: idOfAny(model.resources) } };
  return { ...fixed, answers: { 200: written(record), ...refusals } };
}

const fixed: Omit<Operation, "answers"> = {
  id: "batchService",
  method: "post",
  path: "/_service/batch",
  tag: serviceTagName,
  summary: "Write several records, all or none",
  description: "`{ ref: n }` stands for the id of the record that operation n creates.",
  parameters: [parameterRef("Etags"), parameterRef("Key")],
  body: jsonBody(
    objectSchema(
      {
        operations: {
          type: "array",
          minItems: 1,
          maxItems: maxOperations,
          items: schemaRef("BatchOperation"),
        },
        atomic: boolean,
      },
      ["atomic"],
    ),
  ),
  refusals: ["MediaType"],
  example: "batchService",
};

function written(record: Schema): Schema {
  return jsonAnswer(
    "The records, in the order of the operations.",
    objectSchema(
      {
        data: { type: "array", items: nullable(record) },
        errors: { type: "array", items: schemaRef("BatchError") },
        etags: { type: "array", items: nullable(string) },
      },
      ["errors", "etags"],
    ),
  );
}

const refusals = {
  400: refused("The batch or an operation is malformed."),
  403: refused("The access rule of an operation refuses it."),
  404: refused("An operation's resource or record does not exist."),
  409: refused("An operation conflicts with other records."),
  412: refused("A record's ETag does not match."),
  422: refused("Values are not valid."),
};

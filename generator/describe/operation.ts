import type { Schema } from "../kind/kind.js";
import type { Resource } from "../model/model.js";
import type { Literal } from "../text/typescript.js";
import { exampleRefs } from "./examples/refs.js";
import { type Codes, codedResponses, type RefusalName, refusalNames } from "./refusals.js";

/** An operation of the OpenAPI document before it is serialized. */
export interface Operation {
  readonly id: string;
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** Path below `/api`, such as `/products/{id}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Whether no token is needed. */
  readonly isPublic?: boolean;
  /** Whether the operation also works without a token, possibly with a different response. */
  readonly takesNoToken?: boolean;
  readonly parameters?: readonly Schema[];
  readonly body?: Schema;
  readonly example?: string;
  readonly answers: Readonly<Record<number, Schema>>;
  readonly refusals: readonly RefusalName[];
  readonly codes?: Codes;
}

/** Returns the `paths` of the document: operations by path and method, in their original order. */
export function pathsOf(operations: readonly Operation[]): Schema {
  const paths: Record<string, Record<string, Literal>> = {};
  for (const operation of operations) {
    paths[operation.path] ??= {};
    Object.assign(paths[operation.path] ?? {}, { [operation.method]: written(operation) });
  }
  return paths;
}

function written(operation: Operation): Schema {
  const { id, tag, summary, description, parameters = [], body } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...securityOf(operation),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: withExample(body, operation) }),
    responses: { ...refusalsOf(operation), ...operation.answers },
  };
}

function securityOf({ isPublic, takesNoToken }: Operation): Schema {
  if (isPublic) return { security: [] };
  return takesNoToken ? { security: [{}, { bearerAuth: [] }] } : {};
}

/** Returns the body with a reference to its example; all file bodies share one. */
function withExample(body: Schema, { example }: Operation): Schema {
  const { content } = body;
  if (example === undefined || !isObject(content)) return body;
  const examples = exampleRefs(example);
  const media = Object.entries(content).map(([type, own]) => [
    type,
    isObject(own) ? { ...own, examples } : own,
  ]);
  return { ...body, content: Object.fromEntries(media) };
}

function isObject(given: Literal | undefined): given is Schema {
  return typeof given === "object" && given !== null && !Array.isArray(given);
}

/** Returns the refusals by status, including those that the server may return for any operation. */
function refusalsOf(operation: Operation): Schema {
  const { refusals, codes = {}, isPublic, body, method, answers } = operation;
  const refusesParameters = method !== "get" && isPublic !== true && answers[400] === undefined;
  const named: readonly RefusalName[] = [
    // An operation's own description of 400 follows and takes precedence.
    ...(refusesParameters ? (["BadQuery"] as const) : []),
    ...refusals,
    ...(isPublic ? [] : (["NoToken"] as const)),
    ...(body === undefined ? [] : (["TooLarge"] as const)),
    "Failed",
    "NotNow",
    "Other",
  ];
  // JavaScript objects list numeric keys first, in ascending order.
  return {
    ...Object.fromEntries(
      named.map((name) => [refusalNames[name], { $ref: `#/components/responses/${name}` }]),
    ),
    ...codedResponses(codes, refusals),
  };
}

/** `{ "$ref": "#/components/schemas/Product" }` */
export function schemaRef(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** A required body. */
export function jsonBody(schema: Schema): Schema {
  return { required: true, content: jsonContent(schema) };
}

export function jsonAnswer(description: string, schema: Schema, more: Schema = {}): Schema {
  return { description, ...more, content: jsonContent(schema) };
}

function jsonContent(schema: Schema): Schema {
  return { "application/json": { schema } };
}

export function emptyAnswer(description: string): Schema {
  return { description };
}

/** Returns the schema of an object with exactly these properties, all required except the listed ones. */
export function objectSchema(
  properties: Readonly<Record<string, Schema>>,
  optional: readonly string[] = [],
): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return {
    type: "object",
    ...(required.length === 0 ? {} : { required }),
    properties,
    additionalProperties: false,
  };
}

/** Returns the schema of `{ data: […] }`. */
export function listSchema(items: Schema): Schema {
  return objectSchema({ data: { type: "array", items } });
}

export function cursorPage(items: Schema): Schema {
  return objectSchema({
    data: { type: "array", items },
    meta: objectSchema({ perPage: integer, next: nullable(string) }),
  });
}

export const string: Schema = { type: "string" };
export const boolean: Schema = { type: "boolean" };
export const integer: Schema = { type: "integer" };
export const uuid: Schema = { type: "string", format: "uuid" };
export const timestamp: Schema = { type: "string", format: "date-time" };

/** Returns the schema of an id of any of the resources. */
export function idOfAny(resources: readonly Pick<Resource, "id">[]): Schema {
  return resources.every(({ id }) => id.type === "uuid") ? uuid : string;
}

export function nullable(schema: Schema): Schema {
  const { type, enum: values } = schema;
  if (typeof type !== "string") return { anyOf: [schema, { type: "null" }] };
  return {
    ...schema,
    type: [type, "null"],
    ...(isLiterals(values) ? { enum: [...values, null] } : {}),
  };
}

function isLiterals(value: Literal | undefined): value is readonly Literal[] {
  return Array.isArray(value);
}

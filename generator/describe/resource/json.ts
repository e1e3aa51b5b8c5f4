import { jsonSchemaName } from "../../kind/json.js";
import type { Schema } from "../../kind/kind.js";
import { nullable, objectSchema, schemaRef } from "../operation.js";

const scalar: Schema = { type: ["string", "number", "boolean", "null"] };
const ordered: Schema = { type: ["string", "number"], minLength: 1 };
const part: Schema = { type: "string", minLength: 1, maxLength: 200 };
const several: Schema = { type: "array", minItems: 1, maxItems: 100, items: scalar };

const members: Readonly<Record<string, Schema>> = {
  has: schemaRef(jsonSchemaName),
  at: { type: "string", minLength: 1, description: "Keys and list indexes: `lines.0.name`." },
  eq: scalar,
  ne: scalar,
  in: several,
  nin: several,
  gt: ordered,
  gte: ordered,
  lt: ordered,
  lte: ordered,
  contains: part,
  starts: part,
  ends: part,
};

/** The schemas of JSON values and of the conditions on them. */
export const jsonSchemas: Readonly<Record<string, Schema>> = {
  [jsonSchemaName]: {
    description: "Any JSON value except null: at most 65536 bytes and 32 levels.",
    type: ["object", "array", "string", "number", "boolean"],
  },
  JsonCondition: nullable({
    ...objectSchema(members, Object.keys(members)),
    minProperties: 1,
  }),
};

export const jsonCondition: Schema = schemaRef("JsonCondition");

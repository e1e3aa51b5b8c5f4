import type { Schema } from "../../kind/kind.js";
import { nullable, objectSchema, schemaRef, string, uuid } from "../operation.js";

/** An account as other callers see it. */
export const person: Schema = objectSchema(
  {
    id: uuid,
    name: string,
    image: nullable(string),
    imageFile: nullable(schemaRef("FileDetails")),
  },
  ["name", "image", "imageFile"],
);

export const personWhere: Schema = conditions();

function conditions(): Schema {
  const self = schemaRef("PersonWhere");
  const list = { type: "array", items: self };
  const properties = {
    and: list,
    or: list,
    not: self,
    id: schemaRef("IdCondition"),
    name: schemaRef("TextCondition"),
  };
  return objectSchema(properties, Object.keys(properties));
}

/** The values of `fields` for a linked account. */
export const personFields: Schema = {
  type: "array",
  minItems: 1,
  uniqueItems: true,
  items: { type: "string", enum: ["id", "name", "image", "imageFile"] },
};

/** Schema for including an account in the response to a query. */
export const personInclude: Schema = wanted(objectSchema({ fields: personFields }, ["fields"]));

/**
 * Returns the schema for including related data in the response to a query: true for the defaults, or an object of
 * options.
 */
export function wanted(options: Schema): Schema {
  return { anyOf: [{ type: "boolean", const: true }, options] };
}

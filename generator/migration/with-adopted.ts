import type { Schema } from "../../runtime/values/schema/schema.js";
import type { Field } from "../kind/kinds.js";
import { keepingEmpty } from "../kind/option/lengths.js";
import { adoptedTables, unversionedTables } from "../model/adopted.js";
import type { Model } from "../model/model.js";

/** Returns the model with the adopted columns recorded by the migrations. In adopted tables, "" is a value. */
export function withAdopted(model: Model, schema: Schema): Model {
  const adopted = adoptedTables(schema);
  if (adopted.size === 0) return model;
  const resources = model.resources.map((resource) => {
    if (!adopted.has(resource.table)) return resource;
    const fields = new Map(resource.fields.map((field) => [field, withEmpty(field)]));
    return {
      ...resource,
      fields: [...fields.values()],
      stored: resource.stored.map((field) => fields.get(field) ?? field),
    };
  });
  return { ...model, resources, adopted, unversioned: unversionedTables(schema) };
}

function withEmpty(field: Field): Field {
  const isText = "minLength" in field && field.list === null && field.computed === null;
  return isText ? keepingEmpty(field) : field;
}

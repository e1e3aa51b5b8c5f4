import { type Field, kindOf } from "../kind/kinds.js";
import { actions, type IndexField, isUnique, type Model, type Resource } from "../model/model.js";
import { jsonFile } from "../text/json.js";
import type { Literal } from "../text/typescript.js";
import type { EmittedFile } from "./file.js";

/** `descriptors.json`: what `GET /api/_service/resources` answers; the generated code does not read it. */
export function emitDescriptors({ resources }: Model): EmittedFile {
  return { path: "generated/descriptors.json", text: jsonFile(resources.map(descriptor)) };
}

function descriptor({ name, singular, label, was, fields, uniques, indexes, access }: Resource) {
  return {
    name,
    singular,
    label,
    ...present({ was }),
    path: `/api/${name}`,
    fields: fields.map(fieldDescriptor),
    ...(uniques.length > 0 && { unique: uniques }),
    ...(indexes.length > 0 && { indexes: indexes.map(written) }),
    access: Object.fromEntries(actions.map((action) => [action, access[action]])),
  };
}

/** An index as the descriptor has it: `[status, -createdAt]`. */
function written(index: readonly IndexField[]): readonly string[] {
  return index.map(({ name, descending }) => (descending ? `-${name}` : name));
}

/** The descriptor's keys, with those filled in that always have a value. */
function fieldDescriptor(field: Field): { readonly [key: string]: Literal } {
  const { name, kind, required, label, description, was } = field;
  return {
    name,
    type: kind,
    required,
    unique: isUnique(field),
    ...present({ label, description, was }),
    ...("default" in field && present({ default: field.default })),
    ...present(kindOf(field).describe(field)),
  };
}

function present(values: Readonly<Record<string, Literal>>): { readonly [key: string]: Literal } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

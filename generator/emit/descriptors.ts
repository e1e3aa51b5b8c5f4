import type { FieldAccess } from "../kind/field.js";
import { type Field, kindOf } from "../kind/kinds.js";
import {
  actions,
  type Display,
  type IndexField,
  isUnique,
  type Model,
  type Resource,
} from "../model/model.js";
import { jsonFile } from "../text/json.js";
import type { Literal } from "../text/typescript.js";
import type { EmittedFile } from "./file.js";

/** `descriptors.json`: what `GET /api/_service/resources` answers; the generated code does not read it. */
export function emitDescriptors({ resources }: Model): EmittedFile {
  return { path: "generated/descriptors.json", text: jsonFile(resources.map(descriptor)) };
}

function descriptor({
  name,
  singular,
  label,
  display,
  was,
  fields,
  uniques,
  indexes,
  access,
  owner,
}: Resource) {
  return {
    name,
    singular,
    label,
    ...present({ was }),
    path: `/api/${name}`,
    ...shown(display),
    fields: fields.map(fieldDescriptor),
    ...(uniques.length > 0 && { unique: uniques }),
    ...(indexes.length > 0 && { indexes: indexes.map(indexKeys) }),
    access: Object.fromEntries(actions.map((action) => [action, access[action]])),
    ...(owner !== null && { owner: owner.map(({ field }) => field).join(".") }),
  };
}

/** The display's keys as the descriptor has them: a row of one field is its name. */
function shown({ title, icon, group, list, form }: Display) {
  return {
    ...present({ title, icon, group, list }),
    ...(form !== null && { form: form.map((row) => (row.length === 1 ? (row[0] ?? "") : row)) }),
  };
}

/** An index as the descriptor has it: `[status, -createdAt]`. */
function indexKeys(index: readonly IndexField[]): readonly string[] {
  return index.map(({ name, descending }) => (descending ? `-${name}` : name));
}

/** The descriptor's keys, with those filled in that always have a value. */
function fieldDescriptor(field: Field): { readonly [key: string]: Literal } {
  const { name, kind, required, label, description, help, placeholder, was, access } = field;
  return {
    name,
    type: kind,
    required,
    unique: isUnique(field),
    ...present({ label, description, help, placeholder, was }),
    ...(isRestricted(access) && { access: { ...access } }),
    ...("default" in field && present({ default: field.default })),
    ...present(kindOf(field).describe(field)),
  };
}

function isRestricted({ read, write }: FieldAccess): boolean {
  return read !== "signed-in" || write !== "signed-in";
}

function present(values: Readonly<Record<string, Literal>>): { readonly [key: string]: Literal } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

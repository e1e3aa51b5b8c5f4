import { type IdType, idForms } from "../../../runtime/values/schema/id-types.js";
import { timeNames } from "../../../runtime/values/schema/record-times.js";
import { idSchema } from "../../kind/column/id-text.js";
import type { Schema } from "../../kind/kind.js";
import {
  defaultOf,
  detailsKeys,
  type Field,
  hasEntries,
  isFile,
  isNullable,
  kindOf,
  valueSchema,
} from "../../kind/kinds.js";
import { type Resource, severalOf } from "../../model/model.js";
import { isNeededToCreate, isNeededToReplace, writtenFields } from "../../model/needed.js";
import type { Literal } from "../../text/typescript.js";
import { uuidExample } from "../examples/made.js";
import { asMarkdown } from "../markdown.js";
import { boolean, integer, nullable, objectSchema, schemaRef, timestamp } from "../operation.js";
import type { DescribedNames } from "./names.js";
import type { NamesOf } from "./parameters.js";
import { trashProperties } from "./trash.js";

/** Returns the schemas of a resource's records: complete, partial, and in the bodies of writes. */
export function recordSchemas(
  resource: Resource,
  names: DescribedNames,
  namesOf: NamesOf,
): Readonly<Record<string, Schema>> {
  const { fields } = resource;
  const written = writtenFields(resource);
  const shown = shownProperties(resource);
  const more = { ...relatedProperties(resource, namesOf), ...trashProperties(resource) };
  const parts = { ...shown, ...more };
  const hidden = new Set(
    fields.filter(isHidden).flatMap((field) => [field.name, ...detailsKeys(field)]),
  );
  const { id } = resource;
  const changed = {
    id: id.given ? idSchema(id.type) : ignored,
    ...mapFields(written, changedSchema),
    createdAt: ignored,
    updatedAt: ignored,
  };
  return {
    [names.Part]: {
      ...objectSchema(
        parts,
        Object.keys(parts).filter((name) => name !== "id"),
      ),
    },
    [names.Record]: {
      title: resource.singular,
      allOf: [schemaRef(names.Part)],
      required: Object.keys(shown).filter((name) => !hidden.has(name)),
    },
    [names.Update]: objectSchema(changed, Object.keys(changed)),
    [names.Replace]: demanding(
      names.Update,
      written.filter((field) => isNeededToReplace(resource, field)),
      mapFields(written.filter(isAddable), wholeSchema),
    ),
    [names.Create]: demanding(
      names.Update,
      [
        ...(id.given ? [{ name: "id" }] : []),
        ...written.filter((field) => isNeededToCreate(resource, field)),
      ],
      mapFields(
        written.filter((field) => isAddable(field) || defaultOf(field) !== null),
        createdSchema,
      ),
    ),
  };
}

const ignored = schemaRef("Ignored");

/** Schema of properties that a write request may contain because the record does. */
export const ignoredSchema: Schema = { description: "May be sent, but is ignored." };

/** The properties that `include` adds. */
function relatedProperties(own: Resource, namesOf: NamesOf): Record<string, Schema> {
  const { links } = own;
  return Object.fromEntries([
    ...links.map(({ name, resource }) => {
      const names = namesOf(resource);
      const schema = schemaRef(names === null ? "Person" : names.Part);
      return [name, nullable(schema)] as const;
    }),
    ...severalOf(own).map(({ name, resource }) => {
      const data = { type: "array", items: schemaRef(namesOf(resource)?.Part ?? "Person") };
      const shown = objectSchema({ data, more: boolean, count: integer }, ["count"]);
      return [name, { anyOf: [shown, objectSchema({ count: integer })] }] as const;
    }),
  ]);
}

/** The named schema with these fields required and these properties narrowed. */
function demanding(
  name: string,
  fields: readonly Pick<Field, "name">[],
  properties: Record<string, Schema>,
): Schema {
  const required = fields.map((field) => field.name);
  const own = {
    ...(required.length === 0 ? {} : { required }),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
  };
  return Object.keys(own).length === 0 ? schemaRef(name) : { allOf: [schemaRef(name)], ...own };
}

/** Whether some callers do not receive the field. */
function isHidden({ access }: Field): boolean {
  return access.read !== "signed-in";
}

function isAddable(field: Field): boolean {
  return kindOf(field).isAddable;
}

/** Returns the schema of a field in an update: a value, or an amount to add. */
function changedSchema(field: Field): Schema {
  const schema = writtenSchema(field);
  if (!isAddable(field)) return schema;
  if (field.list !== null) return { anyOf: [schema, listChangeSchema(field)] };
  const { shown, rules = {} } = valueSchema(field);
  const { "x-decimals": decimals } = rules;
  const add = { ...shown, ...(decimals === undefined ? {} : { "x-decimals": decimals }) };
  return { anyOf: [schema, objectSchema({ add })] };
}

/** The schema of a change to a list: elements to append, elements to remove, or both. */
function listChangeSchema(field: Field): Schema {
  const { shown, rules = {} } = valueSchema(field);
  const { items = shown.items ?? {} } = rules;
  const elements = { type: "array", items };
  const removed = { type: "array", items: shown.items ?? {} };
  const parts = { add: elements, remove: removed };
  return { ...objectSchema(parts, Object.keys(parts)), minProperties: 1 };
}

/** Returns the schema of a plain value by type only; the rules are in the update's schema. */
function wholeSchema(field: Field): Schema {
  return isAddable(field) ? { type: shownSchema(field).type ?? null } : {};
}

/** Returns the schema of a value in a create request, with the default that is stored if the field is missing. */
function createdSchema(field: Field): Schema {
  const value = defaultOf(field);
  return { ...wholeSchema(field), ...(value === null ? {} : { default: value }) };
}

/** Returns the properties of a record, in order. */
function shownProperties({ fields, times, id }: Resource): Record<string, Schema> {
  return Object.fromEntries([
    ["id", idSchema(id.type)],
    ...fields.flatMap((field): [string, Schema][] => {
      const own: [string, Schema] = [field.name, described(field)];
      return [own, ...detailsKeys(field).map((key): [string, Schema] => [key, details(field)])];
    }),
    ...timeNames.map((name): [string, Schema] => [
      name,
      times[name] === null ? { type: "null" } : timestamp,
    ]),
  ]);
}

function details({ list }: Field): Schema {
  return list === null
    ? schemaRef("OptionalFile")
    : { type: "array", items: schemaRef("FileDetails") };
}

/** Returns the schema of a field's value, with the texts of the descriptor. */
function described(field: Field): Schema {
  const { label, description, computed, readOnly } = field;
  return {
    ...shownSchema(field),
    ...(computed === null && !readOnly ? {} : { readOnly: true }),
    ...(label === null ? {} : { title: label }),
    ...(description === null ? {} : { description: asMarkdown(description) }),
  };
}

function shownSchema(field: Field): Schema {
  const { shown } = valueSchema(field);
  return isNullable(field) ? nullable(shown) : shown;
}

function writtenSchema(field: Field): Schema {
  const { shown, rules = {} } = valueSchema(field);
  const hint = "patternHint" in field ? field.patternHint : null;
  const schema = {
    ...shown,
    ...rules,
    ...(hint === null ? {} : { description: asMarkdown(hint) }),
  };
  return isNullable(field) ? nullable(schema) : schema;
}

function mapFields(
  fields: readonly Field[],
  schemaOf: (field: Field) => Schema,
): Record<string, Schema> {
  return Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)]));
}

/** Returns an example of a body that creates, replaces or updates a record, using the descriptor's defaults. */
export function writeExample(resource: Resource): Schema {
  const values = writtenFields(resource).map(
    (field) => [field.name, exampleOf(resource, field)] as const,
  );
  const id = resource.id.given ? [["id", exampleId(resource.id.type)] as const] : [];
  return Object.fromEntries([...id, ...values.filter(([, value]) => value !== null)]);
}

function exampleId(type: IdType): string {
  return type === "uuid" ? uuidExample : idForms[type].example;
}

/** Returns an example of a field's value; null if the field can be omitted and no valid value can be derived. */
function exampleOf(resource: Resource, field: Field): Literal {
  const { example } = valueSchema(field);
  if (example !== null || !isNeededToReplace(resource, field)) return example;
  return isFile(field) ? `${resource.name}/${field.name}/2026/01/${fileName}` : field.name;
}

const fileName = "019c0e2a-3c5e-7d41-9b1a-52f0c7a8e602-file";

/** Returns an example of a record in a response. */
export function recordExample(resource: Resource): Schema {
  const values = writeExample(resource);
  const members: [string, Literal][] = resource.fields.flatMap((field) => {
    const none = field.list !== null || hasEntries(field) ? [] : null;
    const own: [string, Literal] = [field.name, values[field.name] ?? none];
    return [own, ...detailsKeys(field).map((key): [string, Literal] => [key, none])];
  });
  return {
    id: exampleId(resource.id.type),
    ...Object.fromEntries(members),
    ...Object.fromEntries(
      timeNames.map((name) => [
        name,
        resource.times[name] === null ? null : "2026-01-31T09:30:00.000Z",
      ]),
    ),
  };
}

import { clientName } from "../../runtime/values/api/client-name.js";
import { type DescribedNames, describedNames } from "../describe/resource/names.js";
import { type Field, isFiltered, kindOf } from "../kind/kinds.js";
import { typeTexts } from "../kind/schema/type-expression.js";
import type { Model, Resource } from "../model/model.js";
import type { Layout } from "../text/layout.js";
import { fixedTypes } from "./fixed-types.js";

/** A resource and its names in the client. */
export interface Named {
  readonly resource: Resource;
  readonly names: DescribedNames;
  /** The resource's file in `client/`, without the extension. */
  readonly file: string;
  /** The resource's member of the client. */
  readonly key: string;
}

/** Finds a resource by name; returns null for accounts. */
export type Find = (resource: string) => Named | null;

export function namedResources(model: Model): readonly Named[] {
  const taken = takenFiles(model);
  const reserved = usesJson(model) ? [...fixedTypes, "JsonValue", "JsonCondition"] : fixedTypes;
  return [...describedNames(model, reserved)].map(([resource, names]) => ({
    resource,
    names,
    file: taken.includes(resource.name) ? `${resource.name}_` : resource.name,
    key: clientKey(resource),
  }));
}

/** Whether some values are JSON, whose types are in a separate file. */
export function usesJson({ resources }: Model): boolean {
  return resources.some(({ fields }) => fields.some((field) => kindOf(field).hasMembers));
}

/** Returns the file names that are reserved in `client/`, where a resource called `client` has its files too. */
function takenFiles(model: Model): readonly string[] {
  const { resources } = model;
  const ofClient = resources.some(({ name }) => name === "client")
    ? ["types", "validation", "table", "queries", "routes"]
    : [];
  return [
    "index",
    "runtime",
    "resumable",
    "stream",
    ...(usesJson(model) ? ["json"] : []),
    ...ofClient,
  ];
}

/** Members of a client that are not resources. */
const ownKeys: readonly string[] = ["service", "batch", "request"];

/** Converts `order-items` to `orderItems`; appends `_` to a name that every client has. */
function clientKey({ name }: Resource): string {
  const key = clientName(name);
  return ownKeys.includes(key) ? `${key}_` : key;
}

/** Returns the types of a non-null value; several form a union. */
export function valueTypes(field: Field): readonly Layout[] {
  return typeTexts(kindOf(field).typescript(field), "json.");
}

/** Returns the fields that `where` accepts. */
export function whereFields({ fields }: Resource): readonly Field[] {
  return fields.filter((field) => isFiltered(field) || kindOf(field).hasMembers);
}

import { clientName } from "../../runtime/values/api/client-name.js";
import { type DescribedNames, describedNames } from "../describe/resource/names.js";
import { type Field, isFiltered, kindOf } from "../kind/kinds.js";
import type { Model, Resource } from "../model/model.js";
import { stringLiteral } from "../text/typescript.js";
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

/** Finds a resource by name; null for accounts. */
export type Find = (resource: string) => Named | null;

export function namedResources(model: Model): readonly Named[] {
  const taken = takenFiles(model);
  return [...describedNames(model, fixedTypes)].map(([resource, names]) => ({
    resource,
    names,
    file: taken.includes(resource.name) ? `${resource.name}_` : resource.name,
    key: clientKey(resource),
  }));
}

/** A resource called `client` has its own files in the client's folder. */
function takenFiles({ resources }: Model): readonly string[] {
  const ofClient = resources.some(({ name }) => name === "client")
    ? ["types", "validation", "table", "queries", "routes"]
    : [];
  return ["index", "runtime", "resumable", "stream", ...ofClient];
}

/** Members of a client that are not resources. */
const ownKeys: readonly string[] = ["service", "batch", "request"];

/** `order-items` → `orderItems`; a name that every client has gets a trailing `_`. */
function clientKey({ name }: Resource): string {
  const key = clientName(name);
  return ownKeys.includes(key) ? `${key}_` : key;
}

/** The types of a value that is present; several form a union. */
export function valueTypes(field: Field): readonly string[] {
  const type = kindOf(field).typescript(field);
  return "union" in type ? type.union.map(stringLiteral) : [type.name];
}

/** Fields that lists filter and sort by. */
export function queryFields({ fields }: Resource): readonly Field[] {
  return fields.filter(isFiltered);
}

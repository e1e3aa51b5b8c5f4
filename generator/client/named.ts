import type { DescribedNames } from "../describe/resource/names.js";
import { type Field, isFiltered, kindOf } from "../kind/kinds.js";
import type { Resource } from "../model/model.js";
import { stringLiteral } from "../text/typescript.js";

/** A resource, and the names of its types in the client. */
export interface Named {
  readonly resource: Resource;
  readonly names: DescribedNames;
}

/** A resource by its name; null for the accounts. */
export type Find = (resource: string) => Named | null;

/** `interface Name { … }`; one without members takes none. */
export function interfaceType(name: string, members: readonly string[]): string {
  if (members.length === 0) return `export type ${name} = None;`;
  return `export interface ${name} {\n${members.map((line) => `  ${line}`).join("\n")}\n}`;
}

export function briefName({ resource, names }: Named): string {
  return resource.fields.some((field) => kindOf(field).isLong) ? names.Brief : names.Record;
}

/** The type of a value that is present. */
export function valueType(field: Field): string {
  const type = kindOf(field).typescript(field);
  return "union" in type ? type.union.map(stringLiteral).join(" | ") : type.name;
}

/** Fields that lists filter and sort by. */
export function queryFields({ fields }: Resource): readonly Field[] {
  return fields.filter(isFiltered);
}

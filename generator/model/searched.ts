import { type Field, kindOf } from "../kind/kinds.js";
import type { Resource } from "./model.js";

/** Whether full-text search covers fields of records of the named other resources. */
export function isSearchingIn({ search }: Resource, names: ReadonlySet<string>): boolean {
  return search?.fields.some(({ link }) => link !== null && names.has(link.resource)) === true;
}

/** Whether lists highlight matches of full-text search in the field. */
export function isHighlighted({ search }: Resource, field: Field): boolean {
  const isSearched = search?.fields.some(({ name }) => name === field.name) === true;
  return isSearched && kindOf(field).highlight !== null;
}

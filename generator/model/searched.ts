import { type Field, kindOf } from "../kind/kinds.js";
import type { Resource } from "./model.js";

/** Whether a search has fields of records of other resources, of which these are the names. */
export function isSearchingIn({ search }: Resource, names: ReadonlySet<string>): boolean {
  return search?.fields.some(({ link }) => link !== null && names.has(link.resource)) === true;
}

/** Whether lists of a search highlight the field's words. */
export function isHighlighted({ search }: Resource, field: Field): boolean {
  const isSearched = search?.fields.some(({ name }) => name === field.name) === true;
  return isSearched && kindOf(field).highlight !== null;
}

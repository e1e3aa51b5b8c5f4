import { type Field, kindOf } from "../kind/kinds.js";
import type { Resource } from "./model.js";

/** Whether lists of a search highlight the field's words. */
export function isHighlighted({ search }: Resource, field: Field): boolean {
  const isSearched = search?.fields.some(({ name }) => name === field.name) === true;
  return isSearched && kindOf(field).highlight !== null;
}

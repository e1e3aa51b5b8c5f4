import type { Field, Resource } from "../api/client/types.js";

/** Returns the names of computed fields that depend on a field whose value has changed in the form. */
export function staleFields(
  { fields }: Pick<Resource, "fields">,
  changed: readonly Field[],
): ReadonlySet<string> {
  const names = new Set(changed.map(({ name }) => name));
  const isStale = ({ computed = "" }: Field) => inputsOf(computed).some((name) => names.has(name));
  return new Set(fields.filter(isStale).map(({ name }) => name));
}

/** Returns the names in an expression that are neither functions nor inside string literals. */
function inputsOf(expression: string): readonly string[] {
  return expression.replace(/'(?:[^']|'')*'/g, " ").match(/\b[A-Za-z]\w*\b(?!\s*\()/g) ?? [];
}

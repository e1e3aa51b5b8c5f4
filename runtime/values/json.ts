/**
 * Maximum nesting depth of JSON from a client, including the outermost level. The deepest useful JSON, a `where` in the
 * body of `_query`, has about twenty levels; recursive functions overflow at a few thousand.
 */
export const maxJsonLevels = 64;

/** A parsed JSON value, or why the text is refused. */
export type ParsedJson =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "malformed" }
  | { readonly kind: "deep" };

/** Parses JSON from a client. Refuses values nested too deeply, since `JSON.parse` accepts any depth. */
export function parseJson(text: string): ParsedJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "malformed" };
  }
  return isDeeper(value, maxJsonLevels) ? { kind: "deep" } : { kind: "value", value };
}

/** Whether a value has more than this number of levels; does not look deeper. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => isDeeper(member, levels - 1));
}

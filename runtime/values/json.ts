/**
 * Maximum nesting depth of JSON from a client, including the outermost level. The deepest useful JSON, a `where` in the
 * body of `_query`, has about twenty levels; recursive functions overflow at some thousands.
 */
export const maxJsonLevels = 64;

/** A parsed JSON value, or why the text is refused. */
export type ParsedJson =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "malformed" }
  | { readonly kind: "deep" };

/** Parses JSON of a client. The parser accepts any depth; values nested too deeply are refused. */
export function parseJson(text: string): ParsedJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "malformed" };
  }
  return isDeeper(value, maxJsonLevels) ? { kind: "deep" } : { kind: "value", value };
}

/** Whether a value exceeds that number of levels; looks no deeper. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => isDeeper(member, levels - 1));
}

/**
 * The most levels of JSON that a client sends; the outermost is the first. The deepest that is of use, a `where` in
 * the body of `_query`, has about twenty; functions that call themselves overflow at some thousands.
 */
export const maxJsonLevels = 64;

/** A JSON text as a value, or why it is refused. */
export type ParsedJson =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "malformed" }
  | { readonly kind: "deep" };

/** Parses JSON that a client has sent. The parser itself takes any depth; what is too deep goes no further. */
export function parseJson(text: string): ParsedJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "malformed" };
  }
  return isDeeper(value, maxJsonLevels) ? { kind: "deep" } : { kind: "value", value };
}

/** Whether a value has more levels than that; looks no deeper. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => isDeeper(member, levels - 1));
}

import { isUnicode } from "../../../../values/text.js";

/**
 * Returns the value of a claim by name, or by a path such as `realm_access.roles`; undefined if there is none. Names
 * may contain dots (`https://example.com/roles`), and so may the parts of a path.
 */
export function claimAt(claims: object, path: string): unknown {
  if (Object.hasOwn(claims, path)) return Reflect.get(claims, path);
  for (let dot = path.indexOf("."); dot !== -1; dot = path.indexOf(".", dot + 1)) {
    const name = path.slice(0, dot);
    const inner: unknown = Object.hasOwn(claims, name) ? Reflect.get(claims, name) : null;
    if (typeof inner !== "object" || inner === null) continue;
    const found = claimAt(inner, path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Whether a claim may identify a person: a text of 1 to 255 characters that PostgreSQL stores unchanged. Otherwise two
 * different texts could be stored as the same one.
 */
export function isSubject(claim: unknown): claim is string {
  return typeof claim === "string" && claim !== "" && claim.length <= 255 && isUnicode(claim);
}

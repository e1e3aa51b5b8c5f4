import type { AppSettings } from "../../../config/index.js";

/** Maximum number of characters of a client id. */
const maxLength = 2_000;

/**
 * Returns the URL of a client's document, which is the client's id. Null unless the id is in normal form: https, with a
 * path, and without a user, a fragment or dot segments.
 */
export function clientAddress(id: string): URL | null {
  if (id.length > maxLength || !URL.canParse(id)) return null;
  const url = new URL(id);
  const { protocol, username, password, hash, pathname, href } = url;
  if (protocol !== "https:" || username + password + hash !== "" || id.includes("#")) return null;
  // Parsing removes dot segments and whitespace, and lowercases the host, so an id with any of them differs.
  return pathname !== "/" && href === id ? url : null;
}

/** Whether people may connect the app with that client id. */
export function isAllowedClient(id: string, { allow }: Pick<AppSettings, "allow">): boolean {
  const url = clientAddress(id);
  return url !== null && (allow === "any" || allow.includes(url.host));
}

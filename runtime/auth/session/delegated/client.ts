import type { AppSettings } from "../../../config/index.js";

/** Characters of a client id. */
const maxLength = 2_000;

/**
 * The address of a client: where its document is. Null for anything that is not written as it is compared: https, with a
 * path, and without a user, a fragment or a segment of dots.
 */
export function clientAddress(id: string): URL | null {
  if (id.length > maxLength || !URL.canParse(id)) return null;
  const url = new URL(id);
  const { protocol, username, password, hash, pathname, href } = url;
  if (protocol !== "https:" || username + password + hash !== "" || id.includes("#")) return null;
  // Parsing removes dots, white space and capitals of the host: what is different had some.
  return pathname !== "/" && href === id ? url : null;
}

/** Whether people may connect the app with that client id. */
export function isAllowedClient(id: string, { allow }: Pick<AppSettings, "allow">): boolean {
  const url = clientAddress(id);
  return url !== null && (allow === "any" || allow.includes(url.host));
}

import type { Site } from "../site.js";

/** The pages of a site that emails link to. */
export type LinkPath = "/sign-in/link" | "/verify-email" | "/reset-password" | "/change-email";

/**
 * A link to a configured site, by default the dashboard, never to an address from a request. Null if the site's address
 * is not configured, which production allows if no method needs it.
 */
export function linkTo(
  { webUrl }: Pick<Site, "webUrl">,
  path: LinkPath,
  query: Readonly<Record<string, string>>,
): string | null {
  if (webUrl === null) return null;
  const pairs = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return `${webUrl}${path}?${pairs.join("&")}`;
}

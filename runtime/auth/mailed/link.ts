import type { Config } from "../../config/index.js";

/** The dashboard's pages that mailed links lead to. */
export type LinkPath = "/sign-in/link" | "/verify-email" | "/reset-password";

/**
 * A link to the configured dashboard, never to an address that a request names; null where none is
 * configured, which production may leave out while no method needs it.
 */
export function linkTo(
  { webUrl }: Pick<Config, "webUrl">,
  path: LinkPath,
  query: Readonly<Record<string, string>>,
): string | null {
  if (webUrl === null) return null;
  const pairs = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return `${webUrl}${path}?${pairs.join("&")}`;
}

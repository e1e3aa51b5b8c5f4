import type { Config } from "../../../config/index.js";
import { Refusal } from "../../../errors/index.js";
import { type AppLimits, resourcesOf, webOrigin } from "./rules.js";

export const resourceDocument = "/.well-known/oauth-protected-resource";

/** `WWW-Authenticate` of a 401 at the MCP address: links to the document that describes how to get a token. */
export function mcpChallenge({ server, ...config }: Pick<Config, "server" | "webUrl">): string {
  const scope = server.mcp === "read" ? "read" : "read write";
  return `Bearer resource_metadata="${webOrigin(config)}${resourceDocument}", scope="${scope}"`;
}

/** A 403 for a write by an app that may only read; the app can then request a wider scope (RFC 6750 §3.1). */
export function insufficientScope(
  config: Pick<Config, "webUrl">,
  { resource }: Pick<AppLimits, "resource">,
): Refusal {
  const isOfMcp = resource === resourcesOf(config).mcp;
  const metadata = isOfMcp ? `, resource_metadata="${webOrigin(config)}${resourceDocument}"` : "";
  return new Refusal("FORBIDDEN", {
    error: "The app may only read",
    headers: {
      "www-authenticate": `Bearer error="insufficient_scope", scope="read write"${metadata}`,
    },
  });
}

import type { Answer, Context, HandledRoute } from "../../http/index.js";
import { resourceDocument } from "../session/delegated/challenge.js";
import { mcpPath, resourcesOf, webOrigin } from "../session/delegated/rules.js";

/** Web pages of any origin may request these documents, with any headers, as they are the same for all callers. */
const headers = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, HEAD",
  "access-control-allow-headers": "*",
};

const open = { method: "GET", access: "public", isAtRoot: true, headers } as const;

/** The metadata routes, which apps request first. */
export const metadataRoutes: readonly HandledRoute[] = [
  { ...open, path: resourceDocument, handle: describeResource },
  { ...open, path: resourceDocument + mcpPath, handle: describeResource },
  { ...open, path: "/.well-known/oauth-authorization-server", handle: describeServer },
];

/** Describes the MCP address as a protected resource (RFC 9728). */
async function describeResource({ services: { config } }: Context): Promise<Answer> {
  const body = {
    resource: resourcesOf(config).mcp,
    authorization_servers: [webOrigin(config)],
    scopes_supported: config.server.mcp === "read" ? ["read"] : ["read", "write"],
    bearer_methods_supported: ["header"],
    resource_name: config.app.name,
  };
  return { status: 200, json: JSON.stringify(body) };
}

/** Describes how apps get tokens (RFC 8414). */
async function describeServer({ services: { config } }: Context): Promise<Answer> {
  const web = webOrigin(config);
  const body = {
    issuer: web,
    authorization_endpoint: `${web}/oauth/authorize`,
    token_endpoint: `${web}/api/oauth/token`,
    revocation_endpoint: `${web}/api/oauth/revoke`,
    scopes_supported: ["read", "write"],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
  return { status: 200, json: JSON.stringify(body) };
}

import { mcpChallenge } from "../../auth/index.js";
import type { Route } from "../../http/index.js";
import { type AgentParts, mcpRoutes } from "../../mcp/index.js";
import type { AppCodeServices } from "../start/app-code-services.js";
import { version } from "./system-routes.js";

/** Returns the routes for agents (MCP), if `server.mcp` enables them. */
export function agentRoutes(
  { services, toolContextOf }: Pick<AppCodeServices, "services" | "toolContextOf">,
  parts: Pick<AgentParts, "tools" | "definitions" | "routes">,
): readonly Route[] {
  const { app, server, auth } = services.config;
  const own = {
    ...{ name: app.name, version, appToolContext: toolContextOf },
    ...(auth.apps !== null && { challenge: mcpChallenge(services.config) }),
  };
  return mcpRoutes({ ...parts, ...own, access: server.mcp });
}

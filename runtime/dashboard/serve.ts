import type { Server } from "node:http";
import type { AppLook } from "../config/index.js";
import { type ConnectionLimits, limitsBehind, newListener } from "../http/index.js";
import { forwardingDashboard } from "./dashboard.js";
import type { ForwardLimits } from "./forward/limits.js";
import { refuse } from "./forward/refuse.js";
import { addressOf, webFolder } from "./handler.js";
import { brandOf } from "./pages/brand.js";
import { visits } from "./pages/page-request.js";
import { openPages } from "./pages/pages.js";

export interface ServedDashboard {
  /** Returns the API's origin; called for each request. */
  readonly apiUrl: () => string;
  /** The dashboard's public address; null if it is not configured. */
  readonly webUrl: string | null;
  readonly proxySecret: string | null;
  readonly trustProxy: number;
  readonly look: AppLook;
  /** The folder that the logo's path is relative to. */
  readonly root: string;
  /** For tests: other limits, and the folder of the built web app. */
  readonly limits?: Partial<ConnectionLimits>;
  readonly forwardLimits?: Partial<ForwardLimits>;
  readonly web?: string;
}

/** Creates the dashboard's server, which does not listen yet. */
export function newDashboardServer(parts: ServedDashboard): Server {
  const handle = forwardingDashboard({
    pages: openPages(parts.web ?? webFolder, brandOf(parts.look, parts.root), visits),
    apiUrl: parts.apiUrl,
    settings: {
      proxySecret: parts.proxySecret,
      trustProxy: parts.trustProxy,
      ...addressOf(parts.webUrl),
    },
    limits: parts.forwardLimits ?? {},
  });
  const { server } = newListener(
    {
      serve: (request, response) => handle(request, response, () => refuse(response, 404)),
      turnAway: (_request, response) => refuse(response, 503),
    },
    { ...limitsBehind(parts.trustProxy), ...parts.limits },
  );
  server.on("close", handle.close);
  return server;
}

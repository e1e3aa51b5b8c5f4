import { createServer, type RequestListener, type Server } from "node:http";
import type { AppLook } from "../config/index.js";
import { brandOf } from "./brand.js";
import { forwardingDashboard } from "./dashboard.js";
import { addressOf, answerMs, webFolder } from "./handler.js";
import { openPages } from "./pages.js";
import { refuse } from "./refuse.js";

export interface ServedDashboard {
  /** Returns the API's origin; called for each request. */
  readonly apiUrl: () => string;
  /** The dashboard's own address, as people open it; null where it is not configured. */
  readonly webUrl: string | null;
  readonly proxySecret: string | null;
  readonly trustProxy: number;
  readonly look: AppLook;
  /** The folder that the logo's path is relative to. */
  readonly root: string;
  /** For tests: milliseconds for the API to begin its answer, and the folder of the built web app. */
  readonly answerMs?: number;
  readonly web?: string;
}

/** Longer than the idle timeout of common load balancers (60 s), so that they close first. */
const keepAliveTimeout = 65_000;
/** Milliseconds to receive the head of a request. */
const headersTimeout = 20_000;

/** The dashboard's own server; it does not listen yet. */
export function newDashboardServer(parts: ServedDashboard): Server {
  const handle = forwardingDashboard({
    pages: openPages(parts.web ?? webFolder, brandOf(parts.look, parts.root)),
    apiUrl: parts.apiUrl,
    settings: {
      proxySecret: parts.proxySecret,
      trustProxy: parts.trustProxy,
      ...addressOf(parts.webUrl),
      answerMs: parts.answerMs ?? answerMs,
    },
  });
  // The API limits the time for a body, because it knows what a slow phone needs.
  const server = createServer({ keepAliveTimeout, headersTimeout, requestTimeout: 0 });
  // More than a hundred header lines are refused rather than dropped: a dropped one might be important.
  server.maxHeadersCount = 0;
  const serve: RequestListener = (request, response) =>
    handle(request, response, () => refuse(response, 404));
  server.on("request", serve);
  server.on("checkExpectation", serve);
  server.on("close", handle.close);
  return server;
}

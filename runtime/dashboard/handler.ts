import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { type Config, type DashboardSettings, readDashboardSettings } from "../config/index.js";
import { dashboardInPlace, forwardingDashboard, type Handler } from "./dashboard.js";
import { isOurs } from "./in-place.js";
import { brandOf } from "./pages/brand.js";
import { openPages } from "./pages/pages.js";

/** Options for mounting the dashboard in an app's server. */
export interface DashboardOptions {
  /** The API's URL without `/api`. Not needed in the API's process. */
  readonly apiUrl?: string;
  /** The API's `SERVICE_PROXY_SECRET`, so that it trusts the dashboard's device headers. */
  readonly proxySecret?: string;
}

/** A request as Express passes it. */
type Served = IncomingMessage & { readonly app?: { get(name: string): unknown } };

export const webFolder = dirname(createRequire(import.meta.url).resolve("#web"));

/**
 * The dashboard as an Express handler, for `app.use(dashboard())`. In the API's process it needs no options; elsewhere
 * it forwards to `apiUrl`, or to `SERVICE_API_URL`.
 *
 * @example
 * ```ts
 * import { dashboard } from "service-runtime/dashboard";
 * import { createApp } from "./generated/app.js";
 *
 * const app = await createApp({});
 * app.use(dashboard());
 * await app.listen();
 * ```
 */
export function dashboard(options: DashboardOptions = {}) {
  const { apiUrl } = options;
  // An invalid address or unreadable settings fail at startup rather than at the first request.
  const own = apiUrl === undefined ? null : readDashboardSettings(process.cwd(), { apiUrl });
  let handler: Handler | null = null;
  return (request: Served, response: ServerResponse, next: (error?: unknown) => void): void => {
    try {
      const api = (request.app?.get("service config") ?? null) as Config | null;
      handler ??= api === null ? elsewhere(options, own) : inApi(options, api, own);
      handler(request, response, () => next());
    } catch (error) {
      next(error);
    }
  };
}

function elsewhere({ proxySecret }: DashboardOptions, own: DashboardSettings | null): Handler {
  const settings = own ?? readDashboardSettings(process.cwd());
  return forwardingDashboard({
    pages: openPages(webFolder, brandOf(settings.look, process.cwd())),
    apiUrl: () => settings.apiUrl,
    settings: {
      proxySecret: proxySecret ?? settings.proxySecret,
      trustProxy: settings.trustProxy,
      ...addressOf(settings.webUrl),
    },
  });
}

function inApi(
  { proxySecret }: DashboardOptions,
  api: Config,
  own: DashboardSettings | null,
): Handler {
  const pages = openPages(webFolder, brandOf(api.look, api.root));
  const settings = {
    proxySecret: proxySecret ?? api.proxySecret,
    trustProxy: api.server.trustProxy,
    ...addressOf(api.webUrl),
  };
  if (own === null) return dashboardInPlace({ pages, settings });
  return forwardingDashboard({ pages, settings, apiUrl: () => own.apiUrl, isOurs });
}

/** Returns the origin of the dashboard's address, and whether it requires https for cookies. */
export function addressOf(webUrl: string | null) {
  return {
    isSecure: webUrl?.startsWith("https:") ?? false,
    webOrigin: webUrl === null ? null : new URL(webUrl).origin,
  };
}

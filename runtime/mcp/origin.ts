import { refuse } from "../errors/index.js";
import type { Context } from "../http/index.js";

/**
 * Refuses requests from pages of another origin (403), as the protocol requires. A page may reach a server on its
 * reader's machine by a name that its own DNS resolves to 127.0.0.1, and browsers then do not apply CORS. Agents other
 * than pages send no `Origin`.
 */
export function refuseOtherOrigins({ request, services: { config } }: Context): void {
  const { origin } = request.headers;
  if (origin === undefined || config.server.corsOrigins.includes(origin)) return;
  if (config.webUrl !== null && new URL(config.webUrl).origin === origin) return;
  refuse("FORBIDDEN", {
    reason: `the origin ${JSON.stringify(origin)} is not among server.cors_origins`,
  });
}

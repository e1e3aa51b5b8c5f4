import { refuse } from "../errors/index.js";
import type { Context } from "../http/index.js";

/**
 * Refuses what a page of another origin sends (403), as the protocol asks for: a page may reach a server on the machine
 * of whoever reads it by a name that its own DNS resolves to 127.0.0.1, and then no browser asks for CORS. Agents that
 * are no pages send no origin.
 */
export function refuseOtherOrigins({ request, services: { config } }: Context): void {
  const { origin } = request.headers;
  if (origin === undefined || config.server.corsOrigins.includes(origin)) return;
  if (config.webUrl !== null && new URL(config.webUrl).origin === origin) return;
  refuse("FORBIDDEN", {
    reason: `the origin ${JSON.stringify(origin)} is not among server.cors_origins`,
  });
}

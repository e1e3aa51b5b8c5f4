import { randomBytes } from "node:crypto";
import type { Server } from "node:http";
import { addressOf } from "../../../runtime/command/app/address.js";
import { listenOn } from "../../../runtime/command/app/listen.js";
import { sayAside, sayDone } from "../../../runtime/command/report.js";
import { type Environment, readDashboardPort } from "../../../runtime/config/index.js";
import { newDashboardServer } from "../../../runtime/dashboard/index.js";
import { freePort } from "../../embedded/port.js";
import type { Built } from "./build.js";

/** The dashboard of the development server. It runs in this process, because it does not change with the app. */
export interface DevelopmentDashboard {
  /**
   * Opens the dashboard, or reopens it if its appearance changed, and announces a new address. Returns the settings
   * that the API needs for it.
   */
  open(built: Built): Promise<Environment>;
  pointTo(apiUrl: string): void;
  close(): void;
}

/** Passkeys need a host name: browsers create none for an IP address. */
const host = "127.0.0.1";
const publicName = "localhost";

/** Maximum number of attempts, each with a port that was free but may since have been taken. */
const maxAttempts = 20;

export function newDevelopmentDashboard(): DevelopmentDashboard {
  const ownSecret = randomBytes(32).toString("base64url");
  let server: Server | null = null;
  let opened = { key: "", port: 0 };
  let apiUrl = "http://127.0.0.1:3000";

  return {
    async open({ config, environment }) {
      const wished = readDashboardPort(environment);
      const proxySecret = config.proxySecret ?? ownSecret;
      const key = JSON.stringify([config.look, environment.SERVICE_WEB_URL, proxySecret, wished]);
      if (server === null || key !== opened.key) {
        const former = server === null ? wished : opened.port;
        close();
        const start = (port: number) => {
          const webUrl = environment.SERVICE_WEB_URL || addressOf(publicName, port);
          return newDashboardServer({
            apiUrl: () => apiUrl,
            webUrl,
            proxySecret,
            trustProxy: 0,
            look: config.look,
            root: config.root,
          });
        };
        const found = await listenSomewhere(start, former);
        server = found.server;
        opened = { key, port: found.port };
        if (found.port !== wished && wished !== 0) {
          sayAside(`Port ${wished} is taken; the dashboard uses ${found.port}`);
        }
      }
      const webUrl = environment.SERVICE_WEB_URL || addressOf(publicName, opened.port);
      sayDone(`Dashboard: ${addressOf(publicName, opened.port)}`);
      return { SERVICE_WEB_URL: webUrl, SERVICE_PROXY_SECRET: proxySecret };
    },
    pointTo(url) {
      apiUrl = url;
    },
    close,
  };

  function close(): void {
    server?.close();
    server?.closeAllConnections();
    server = null;
  }
}

async function listenSomewhere(
  start: (port: number) => Server,
  wished: number,
): Promise<{ readonly server: Server; readonly port: number }> {
  let from = wished;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const port = await freePort(host, from);
    const server = start(port);
    const found = await listenOn(server, { host, port });
    if (found !== null) return { server, port: found };
    from = port + 1;
  }
  throw new Error("no free port for the dashboard");
}

import { channel } from "node:diagnostics_channel";
import type { Server } from "node:net";
import { StartRefused } from "../start/start.js";

/** Where to listen; port 0 is any free port. */
export interface ListenOptions {
  readonly host: string;
  readonly port: number;
}

/** Where a server listens. */
export interface Address {
  readonly port: number;
  /** The URL for clients: `http://127.0.0.1:3000`. */
  readonly url: string;
}

/** `listening` or `taken`; for `service dev`, which then announces the server or tries another port. */
const portNews = channel("service.port");

/** Whether something in this process, such as `service dev`, subscribes to news of the port. */
export function isPortWatched(): boolean {
  return portNews.hasSubscribers;
}

/**
 * Connections that may wait to be accepted; the system has a limit of its own (`somaxconn`, often 4 096). After a restart
 * all streams come back at once, and one that finds no room tries again after 1, 2, 4, … seconds.
 */
const backlog = 8_192;

/** Listens there. Refuses the start when the port is not available. */
export async function openPort(server: Server, { host, port }: ListenOptions): Promise<Address> {
  await new Promise<void>((resolve, reject) => {
    // The listener stays: a connection that cannot be accepted later must not end the server.
    server.on("error", ({ code, message }: NodeJS.ErrnoException) => {
      if (code === "EADDRINUSE") portNews.publish("taken");
      reject(
        new StartRefused({
          message: `The server cannot listen: ${message}`,
          hint: "set PORT, or server.host",
        }),
      );
    });
    server.listen({ port, host, backlog }, () => resolve());
  });
  portNews.publish("listening");
  const address = server.address();
  const opened = typeof address === "object" && address !== null ? address.port : 0;
  return { port: opened, url: urlOf({ host, port: opened }) };
}

/** The URL of a host and port. */
export function urlOf({ host, port }: ListenOptions): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

import { channel } from "node:diagnostics_channel";
import type { Server } from "node:net";
import { z } from "zod";
import { StartRefused } from "../../errors/index.js";
import { messageReader } from "../../messages/index.js";

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

/** `wanted`; for `service dev`, which holds the port while one server after the other serves on it. */
const portNews = channel("service.port");

/** Whether another process holds the port and hands its connections over: `service dev`, which runs this one. */
export function isPortHeld(): boolean {
  return portNews.hasSubscribers;
}

const portOpen = z.object({ service: z.literal("port open") });
const readPortOpen = messageReader(portOpen);

/** What `service dev` answers once connections reach its port. */
export const portOpenMessage: z.input<typeof portOpen> = { service: "port open" };

/** Resolves when `service dev` has opened the port; it ends this process where it cannot. */
export async function openHeldPort(): Promise<void> {
  // Connections come by this channel, so it keeps the process alive, as a port of its own would.
  process.channel?.ref();
  const opened = new Promise<void>((resolve) => {
    process.on("message", (message) => {
      if (readPortOpen(message) !== null) resolve();
    });
  });
  portNews.publish("wanted");
  await opened;
}

/** Lets the process end once nothing else keeps it alive. */
export function leaveHeldPort(): void {
  if (isPortHeld()) process.channel?.unref();
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
    server.on("error", ({ message }) => {
      reject(
        new StartRefused({
          message: `The server cannot listen: ${message}`,
          hint: "set PORT, or server.host",
        }),
      );
    });
    server.listen({ port, host, backlog }, () => resolve());
  });
  const address = server.address();
  const opened = typeof address === "object" && address !== null ? address.port : 0;
  return { port: opened, url: urlOf({ host, port: opened }) };
}

/** The URL of a host and port. */
export function urlOf({ host, port }: ListenOptions): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

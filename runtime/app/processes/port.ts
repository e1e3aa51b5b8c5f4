import { channel } from "node:diagnostics_channel";
import type { Server } from "node:net";
import { z } from "zod";
import { StartRefused } from "../../errors/index.js";
import { messageReader } from "../../messages/index.js";

/** Where to listen; port 0 selects any free port. */
export interface ListenOptions {
  readonly host: string;
  readonly port: number;
}

/** The address of a listening server. */
export interface Address {
  readonly port: number;
  /** The URL for clients, such as `http://127.0.0.1:3000`. */
  readonly url: string;
}

/**
 * The channel to `service dev`, which holds the port while successive servers serve on it; the
 * message is `wanted`.
 */
const portNews = channel("service.port");

/** Whether the parent process holds the port and passes its connections on, as `service dev` does. */
export function isPortHeld(): boolean {
  return portNews.hasSubscribers;
}

const portOpen = z.object({ service: z.literal("port open") });
const readPortOpen = messageReader(portOpen);

export const portOpenMessage: z.input<typeof portOpen> = { service: "port open" };

/** Resolves when `service dev` has opened the port. If it cannot, it ends this process. */
export async function openHeldPort(): Promise<void> {
  // Connections arrive on this channel, so it keeps the process alive like a port.
  process.channel?.ref();
  const opened = new Promise<void>((resolve) => {
    process.on("message", (message) => {
      if (readPortOpen(message) !== null) resolve();
    });
  });
  portNews.publish("wanted");
  await opened;
}

/** Lets the process exit once nothing else keeps it alive. */
export function leaveHeldPort(): void {
  if (isPortHeld()) process.channel?.unref();
}

/**
 * Maximum number of connections that wait to be accepted; the system has its own limit (`somaxconn`, often 4,096).
 * After a restart, all streams reconnect simultaneously, and a refused one retries after 1, 2, 4, … seconds.
 */
const backlog = 8_192;

/** Listens at the address. Throws a start error if the port is not available. */
export async function openPort(server: Server, { host, port }: ListenOptions): Promise<Address> {
  await new Promise<void>((resolve, reject) => {
    // The listener stays, as a later connection that cannot be accepted must not end the server.
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

export function urlOf({ host, port }: ListenOptions): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

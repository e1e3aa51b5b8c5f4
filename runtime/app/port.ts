import { channel } from "node:diagnostics_channel";
import type { Server } from "node:net";
import { StartRefused } from "./start.js";

/** Where to listen; port 0 is any that is free. */
export interface ListenOptions {
  readonly host: string;
  readonly port: number;
}

/** Where a server listens. */
export interface Address {
  readonly port: number;
  /** As clients write it: `http://127.0.0.1:3000`. */
  readonly url: string;
}

/** `listening` or `taken`; for `service dev`, which then announces the server or takes another port. */
const portNews = channel("service.port");

/** Whether somebody in this process waits for news of the port, as `service dev` does. */
export function isPortWatched(): boolean {
  return portNews.hasSubscribers;
}

/** Opens the server there. Refuses the start when the port cannot be had. */
export async function openPort(server: Server, { host, port }: ListenOptions): Promise<Address> {
  await new Promise<void>((resolve, reject) => {
    // It stays: a connection that cannot be accepted later on is the client's loss, not the server's end.
    server.on("error", ({ code, message }: NodeJS.ErrnoException) => {
      if (code === "EADDRINUSE") portNews.publish("taken");
      reject(
        new StartRefused({
          message: `The server cannot listen: ${message}`,
          hint: "set PORT, or server.host",
        }),
      );
    });
    server.listen({ port, host }, () => resolve());
  });
  portNews.publish("listening");
  const address = server.address();
  const opened = typeof address === "object" && address !== null ? address.port : 0;
  return { port: opened, url: urlOf({ host, port: opened }) };
}

/** A place as clients write it. */
export function urlOf({ host, port }: ListenOptions): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

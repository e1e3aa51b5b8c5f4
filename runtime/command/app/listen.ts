import type { Server } from "node:net";
import { CommandRefused } from "../exit.js";

export interface Place {
  readonly host: string;
  readonly port: number;
}

/** The message if the server cannot listen. */
interface Refused {
  readonly who: string;
  readonly hint: string;
}

const dashboard: Refused = { who: "dashboard", hint: "set HOST or PORT" };

/** Listens on an address and resolves with the port; null if another program uses it. */
export function listenOn(
  server: Server,
  { host, port }: Place,
  { who, hint } = dashboard,
): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const refused = ({ code, message }: NodeJS.ErrnoException) => {
      if (code === "EADDRINUSE") resolve(null);
      else reject(new CommandRefused(`The ${who} cannot listen: ${message}`, hint));
    };
    server.once("error", refused);
    server.listen({ host, port }, () => {
      server.off("error", refused);
      // A later connection that cannot be accepted must not end the server.
      server.on("error", () => {});
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

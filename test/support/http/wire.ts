import { once } from "node:events";
import { connect } from "node:net";
import { expect } from "vitest";

/** One TCP connection to a server, for requests that no client library would send. */
export interface Wire {
  /** Resolves when the system has taken the bytes; false when the connection is gone. */
  send(bytes: string | Buffer): Promise<boolean>;
  /** Waits until the received text matches, and removes it. */
  sees(pattern: RegExp): Promise<RegExpExecArray>;
  /** Received text that was not removed. */
  rest(): string;
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<void>;
  destroy(): void;
}

export async function openWire(url: string): Promise<Wire> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = "";
  socket.on("data", (chunk: Buffer) => {
    received += chunk.toString("latin1");
  });
  // A server that cuts a connection off resets it; `closed` says so.
  socket.on("error", () => {});
  await once(socket, "connect");
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));

  return {
    closed,
    rest: () => received,
    destroy: () => socket.destroy(),
    send: (bytes) =>
      new Promise((resolve) => {
        if (!socket.writable) resolve(false);
        else socket.write(bytes, (error) => resolve(error === undefined || error === null));
      }),
    async sees(pattern) {
      await expect.poll(() => pattern.test(received)).toBe(true);
      const found = pattern.exec(received);
      if (found === null) throw new Error("unreachable: the pattern matched just now");
      received = received.slice(found.index + found[0].length);
      return found;
    },
  };
}

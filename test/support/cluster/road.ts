import { connect, createServer, type Server, type Socket } from "node:net";

/** The network between two machines, which may go silent. */
export interface Road {
  /** Drops all traffic silently; open connections stay open. */
  block(): void;
  /** Passes new connections again. */
  clear(): void;
  /** New connections go to another machine; open ones stay where they are. */
  leadTo(address: string): void;
  close(): Promise<void>;
}

/** Leads from these ports of one address to those of another. */
export async function openRoad(from: string, to: string, ports: readonly number[]): Promise<Road> {
  const sockets = new Set<Socket>();
  let isBlocked = false;
  let target = to;
  function pass(client: Socket, port: number): void {
    keep(client);
    if (isBlocked) return void client.resume();
    const upstream = keep(connect(port, target));
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on("data", (chunk) => {
        if (!isBlocked && !other.write(chunk)) {
          one.pause();
          other.once("drain", () => one.resume());
        }
      });
      one.on("end", () => isBlocked || other.end());
      one.on("close", () => isBlocked || other.destroy());
    }
  }
  function keep(socket: Socket): Socket {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    return socket;
  }
  const servers = await Promise.all(ports.map((port) => listen(from, port, pass)));
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    block: () => {
      isBlocked = true;
    },
    clear: () => {
      isBlocked = false;
      drop();
    },
    leadTo: (address) => {
      target = address;
    },
    close: async () => {
      drop();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

async function listen(
  host: string,
  port: number,
  pass: (client: Socket, port: number) => void,
): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (client) => pass(client, port));
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return server;
}

import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { getPriority, setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

// A process that asks as much of a server as one client can, until it is killed. It has what the server leaves of the
// processors: an attacker brings its own.

/** The attack, from the first argument. */
export interface Attack {
  readonly kind:
    | "sign-ins"
    | "uploads"
    | "lists"
    | "idle"
    | "heads"
    | "bodies"
    | "readers"
    | "ahead";
  readonly url: string;
  /** Of a separate account. */
  readonly token: string;
  /** Number of concurrent ones. */
  readonly clients: number;
  /** Of a picture. */
  readonly file?: string;
}

/** Milliseconds between two bytes of a slow client. */
const dripMs = 200;

const { kind, url, token, clients, file } = JSON.parse(process.argv[2] ?? "{}") as Attack;
const { hostname, port } = new URL(url);
const agent = new Agent({ keepAlive: true });
let count = 0;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: Buffer | string;
  readonly isAnonymous?: boolean;
}

function send({ method, path, body = "", isAnonymous = false }: Sent): Promise<void> {
  const headers = {
    accept: "application/json",
    ...(isAnonymous ? {} : { authorization: `Bearer ${token}` }),
    ...(typeof body === "string" && body !== "" ? { "content-type": "application/json" } : {}),
    "content-length": Buffer.byteLength(body),
  };
  return new Promise((resolve) => {
    const outgoing = request(
      { hostname, port, agent, method, path: `/api${path}`, headers },
      (answer) => {
        process.send?.(answer.statusCode);
        answer.resume();
        answer.on("close", resolve);
      },
    );
    outgoing.on("error", () => resolve());
    outgoing.end(body);
  });
}

function open(): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    socket.on("error", () => {});
    socket.once("connect", () => resolve(socket));
    socket.once("close", () => resolve(socket));
  });
}

async function again(work: () => Promise<void>): Promise<void> {
  for (;;) await work();
}

/** Sends the head, and then a byte at a time. */
async function drip(head: string): Promise<void> {
  const socket = await open();
  socket.resume();
  socket.write(head);
  while (socket.writable) {
    socket.write("a");
    await sleep(dripMs);
  }
}

const picture = file === undefined ? Buffer.alloc(0) : readFileSync(file);
const host = `Host: ${hostname}\r\nAccept: application/json\r\nAuthorization: Bearer ${token}`;
const lists = ["sort=price&q=product%2012", "filter[price][gt]=3&sort=-stock&page=90"];

const attacks: Readonly<Record<Attack["kind"], () => Promise<void>>> = {
  "sign-ins": () => {
    count += 1;
    const body = JSON.stringify({ email: `a${count}@example.com`, password: "a wrong password" });
    return send({ method: "POST", path: "/auth/token", body, isAnonymous: true });
  },
  uploads: () =>
    send({ method: "PUT", path: "/_service/uploads/reviews/photo?name=a.jpg", body: picture }),
  lists: () => {
    count += 1;
    // Another each time, since the same one is asked once for all.
    const query = `${lists[count % lists.length]}&filter[stock][ne]=${count}`;
    return send({ method: "GET", path: `/products?${query}` });
  },
  idle: async () => {
    const socket = await open();
    await new Promise((resolve) => socket.once("close", resolve));
  },
  heads: () => drip(`GET /api/products HTTP/1.1\r\n${host}\r\nX-Slow: `),
  bodies: () =>
    drip(
      `POST /api/products HTTP/1.1\r\n${host}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n`,
    ),
  readers: async () => {
    const socket = await open();
    socket.pause();
    socket.write(`GET /api/products?perPage=100 HTTP/1.1\r\n${host}\r\n\r\n`.repeat(3));
    await new Promise((resolve) => socket.once("close", resolve));
  },
  ahead: async () => {
    const socket = await open();
    socket.resume();
    const requests = `GET /api/_service/ping HTTP/1.1\r\n${host}\r\n\r\n`.repeat(1_000);
    while (socket.writable) {
      if (!socket.write(requests)) await new Promise((resolve) => socket.once("drain", resolve));
      await sleep(1);
    }
  },
};

setPriority(Math.min(19, getPriority() + 10));
process.on("disconnect", () => process.exit());
for (let started = 0; started < clients; started += 1) {
  void again(attacks[kind]);
  // Node accepts one connection in a turn.
  if (started % 100 === 99) await sleep(10);
}
process.send?.("begun");

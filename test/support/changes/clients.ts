import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Clients with streams, in a separate process. */
export interface StreamClients {
  readonly pid: number;
  /** Opens that many more streams, each with its own token, `together` at a time; how many were refused, by status. */
  open(tokens: readonly string[], watch: object, together?: number): Promise<Opened>;
  /** Resets the measurements. */
  reset(): Promise<void>;
  /** Measurements since then. */
  measured(): Promise<Measured>;
  close(): Promise<void>;
}

export interface Opened {
  readonly open: number;
  readonly refused: Readonly<Record<string, number>>;
  /** Milliseconds until all were open. */
  readonly ms: number;
}

/** Records hold in `sentAt` when they were written, in milliseconds. */
export interface Measured {
  readonly events: number;
  readonly resets: number;
  readonly median: number;
  readonly p99: number;
  readonly open: number;
  /** Milliseconds since the first of those streams that had ended until the last of them was open again. */
  readonly returned: number | null;
}

/**
 * What runs in the process. A stream that ends is opened again after its last position. It has hardly any work with each
 * event, and times those of every tenth stream: it would be slower than the server otherwise.
 */
const program = `
import { connect } from "node:net";
let url = process.argv[2];
let isOver = false;
let open = 0;
let events = 0;
const delays = [];
let resets = 0;
let lostAt = null;
let backAt = null;
let opened = 0;
const marks = { change: Buffer.from("event: change"), id: Buffer.from("\\nid: "), reset: Buffer.from("event: reset") };

function note(bytes, stream) {
  const now = Date.now();
  for (let at = bytes.indexOf(marks.change); at !== -1; at = bytes.indexOf(marks.change, at + 1)) events += 1;
  if (stream.number % 10 === 0) {
    for (const [, at] of bytes.toString("latin1").matchAll(/"sentAt":(\\d+)/g)) delays.push(now - Number(at));
  }
  const at = bytes.lastIndexOf(marks.id);
  if (at !== -1) stream.position = bytes.toString("latin1", at + 5, at + 45).split("\\n")[0];
  if (bytes.includes(marks.reset)) resets += 1;
}

function listen(stream) {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    // A server accepts a limited number of connections of one address.
    const localAddress = "127.0.0." + (2 + (stream.number % 40));
    const socket = connect({ host: hostname, port, localAddress, noDelay: true });
    const last = stream.position === "" ? "" : "last-event-id: " + stream.position + "\\r\\n";
    socket.write("GET " + stream.path + " HTTP/1.1\\r\\nhost: x\\r\\nauthorization: Bearer " + stream.token + "\\r\\n" + last + "\\r\\n");
    let head = "";
    let status = 0;
    socket.on("data", (bytes) => {
      if (status === 0) {
        head += bytes.toString("latin1");
        const all = /^HTTP\\/1.1 (\\d+)[^]*(?:event: ready|\\})/.exec(head);
        if (all === null) return;
        status = Number(all[1]);
        resolve(status);
        if (status !== 200) {
          socket.destroy();
          return;
        }
        open += 1;
        backAt = performance.now();
        bytes = Buffer.from(head, "latin1");
      }
      note(bytes, stream);
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      resolve(status);
      if (status === 200) open -= 1;
      if (isOver || stream.position === "") return;
      lostAt ??= performance.now();
      setTimeout(() => void listen(stream), 200 + Math.random() * 800);
    });
  });
}

const actions = {
  async open({ tokens, path, together }) {
    const begin = performance.now();
    const refused = {};
    const waiting = tokens[Symbol.iterator]();
    await Promise.all(Array.from({ length: together }, async () => {
      for (const token of waiting) {
        opened += 1;
        const status = await listen({ token, path, number: opened, position: "" });
        if (status !== 200) refused[status] = (refused[status] ?? 0) + 1;
      }
    }));
    return { open, refused, ms: performance.now() - begin };
  },
  reset() {
    delays.length = 0;
    events = 0;
    resets = 0;
    lostAt = null;
    backAt = null;
  },
  measured() {
    const sorted = Float64Array.from(delays).sort();
    const at = (share) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
    const returned = lostAt === null || backAt === null ? null : backAt - lostAt;
    return { events, resets, median: at(0.5), p99: at(0.99), open, returned };
  },
};

process.on("message", async ({ name, given }) => {
  process.send({ answer: (await actions[name](given)) ?? null });
});
process.on("disconnect", () => process.exit());
process.send({ answer: null });
`;

export async function startClients(folder: string, url: string): Promise<StreamClients> {
  const file = join(folder, "clients.mjs");
  writeFileSync(file, program);
  const child = fork(file, [url]);
  await once(child, "message");
  async function ask<Answer>(name: string, given: object = {}): Promise<Answer> {
    child.send({ name, given });
    const [{ answer }] = await once(child, "message");
    return answer;
  }
  return {
    pid: child.pid ?? 0,
    open: (tokens, watch, together = 50) => {
      const path = `/api/_service/changes?watch=${encodeURIComponent(JSON.stringify(watch))}`;
      return ask("open", { tokens, path, together });
    },
    reset: () => ask("reset"),
    measured: () => ask("measured"),
    async close() {
      child.disconnect();
      await once(child, "exit");
    },
  };
}

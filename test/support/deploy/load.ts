import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** Requests that are sent one after the other until the end is asked for. */
export interface Load {
  end(): Promise<Sent>;
}

export interface Sent {
  readonly count: number;
  /** Categories that were created, as far as their clients know. */
  readonly created: number;
  /** Requests without a correct answer. */
  readonly lost: readonly string[];
  /** Milliseconds of the slowest answer. */
  readonly slowest: number;
}

interface LoadOptions {
  readonly port: number;
  readonly token: string;
  /** A word in the names of created records. */
  readonly name: string;
  /** Clients that send without a pause. */
  readonly busy: number;
  /** Clients that pause for each of these milliseconds between two POSTs. */
  readonly pauses: readonly number[];
}

/** Half of them read, half create. */
export function startLoad({ port, token, name, busy, pauses }: LoadOptions): Load {
  const began = performance.now();
  const lost: string[] = [];
  let created = 0;
  let count = 0;
  let slowest = 0;
  let isOver = false;

  async function send(agent: Agent, method: string, text: string | null, expected: number) {
    const start = performance.now();
    count += 1;
    const found = await ask(agent, { port, token, method, text });
    slowest = Math.max(slowest, performance.now() - start);
    if (found === expected) return true;
    const at = ((start - began) / 1_000).toFixed(1);
    lost.push(`${method} ${found} at ${at} s, after ${Math.round(performance.now() - start)} ms`);
    return false;
  }

  async function create(agent: Agent): Promise<void> {
    const text = JSON.stringify({ name: `${name} ${count}` });
    if (await send(agent, "POST", text, 201)) created += 1;
  }

  const clients = [
    ...Array.from({ length: busy }, async (_, at) => {
      const agent = new Agent({ keepAlive: true });
      while (!isOver) {
        if (at % 2 === 0) await create(agent);
        else await send(agent, "GET", null, 200);
      }
      agent.destroy();
    }),
    ...pauses.map(async (pause) => {
      const agent = new Agent({ keepAlive: true });
      while (!isOver) {
        await create(agent);
        await sleep(pause);
      }
      agent.destroy();
    }),
  ];
  return {
    end: async () => {
      isOver = true;
      await Promise.all(clients);
      return { count, created, lost, slowest };
    },
  };
}

interface Asked {
  readonly port: number;
  readonly token: string;
  readonly method: string;
  readonly text: string | null;
}

/** The status, or the error. */
function ask(agent: Agent, { port, token, method, text }: Asked): Promise<number | string> {
  return new Promise((resolve) => {
    const outgoing = request(
      {
        agent,
        port,
        method,
        host: "127.0.0.1",
        path: "/api/categories",
        headers: {
          authorization: `Bearer ${token}`,
          ...(text === null
            ? {}
            : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
        },
      },
      (answer) => {
        answer.resume();
        answer.on("end", () => resolve(answer.statusCode ?? 0));
        answer.on("error", ({ message }) => resolve(message));
      },
    );
    outgoing.on("error", ({ message }) => resolve(message));
    outgoing.end(text ?? undefined);
  });
}

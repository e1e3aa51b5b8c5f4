import { Agent, request } from "node:http";

/** Outcome of a request: an answer, or none. */
export interface Outcome {
  /** 0 without a response. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  /** Its JSON; null without one. */
  // biome-ignore lint/suspicious/noExplicitAny: each caller knows what it asked for.
  readonly body: any;
  /** Reason of a missing answer. */
  readonly reason: string;
}

export interface Question {
  readonly method: string;
  /** Below `/api`. */
  readonly path: string;
  readonly token?: string | null;
  /** Sent as JSON, or unchanged if it is a buffer. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Milliseconds after which a client gives up. */
const patience = 30_000;

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends one request; never throws. */
export function ask(url: string, question: Question): Promise<Outcome> {
  const { method, path, token = null, body, headers = {} } = question;
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body) ?? "");
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const none = (reason: string) =>
      resolve({ status: 0, headers: {}, bytes: Buffer.alloc(0), body: null, reason });
    const outgoing = request(
      {
        ...{ agent, hostname, port, method, path: `/api${path}`, timeout: patience },
        headers: {
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && {
            "content-type": Buffer.isBuffer(body) ? "application/octet-stream" : "application/json",
            "content-length": String(bytes.length),
          }),
          ...headers,
        },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", ({ message }) => none(message));
        incoming.on("end", () => {
          const all = Buffer.concat(chunks);
          const { statusCode: status = 0, headers } = incoming;
          resolve({ status, headers, bytes: all, body: jsonOf(all), reason: all.toString() });
        });
      },
    );
    outgoing.on("timeout", () => outgoing.destroy(new Error("no answer in 30 s")));
    outgoing.on("error", ({ message }) => none(message));
    outgoing.end(bytes.length === 0 ? undefined : bytes);
  });
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return null;
  }
}

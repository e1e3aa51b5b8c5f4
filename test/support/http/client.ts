import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";

import { checkAnswer } from "../openapi/answers.js";

/** A complete answer; `body` is the parsed JSON, or null without a body. */
export interface Reply<Body = unknown> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Body;
}

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

export interface Row {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly [field: string]: Json;
}

export interface Page {
  readonly data: readonly Row[];
  readonly meta: { page: number; perPage: number; total: number; totalPages: number };
}

export interface Sent {
  /** Sent unchanged, for bodies that are not JSON. */
  readonly text?: string | Buffer;
  /** Added to, or (undefined) taken from, `Accept`, `Authorization` and `Content-Type`. */
  readonly headers?: OutgoingHttpHeaders;
}

/** Speaks to one server as one caller. Paths are below `/api` and go out exactly as given. */
export interface Client {
  get<Body = Row>(path: string): Promise<Reply<Body>>;
  list(path: string): Promise<Reply<Page>>;
  post<Body = Row>(path: string, body: unknown): Promise<Reply<Body>>;
  patch<Body = Row>(path: string, body: unknown): Promise<Reply<Body>>;
  put<Body = Row>(path: string, body: unknown): Promise<Reply<Body>>;
  delete(path: string): Promise<Reply>;
  send<Body = unknown>(method: string, path: string, sent?: Sent): Promise<Reply<Body>>;
}

/** Agents that keep the connections to each server open. */
const agents = new Map<string, Agent[]>();

/** Closes every client's connections to a server, which would otherwise wait for them before it ends. */
export function hangUp(url: string): void {
  for (const agent of agents.get(url) ?? []) agent.destroy();
  agents.delete(url);
}

/** A client with a token, or without. Its connections stay open until the server or `hangUp` closes them. */
export function client(url: string, token: string | null): Client {
  // `fetch` would normalize paths and always send an Accept header; tests need both as they are.
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  agents.set(url, [...(agents.get(url) ?? []), agent]);

  function send<Body>(method: string, path: string, sent: Sent = {}): Promise<Reply<Body>> {
    const headers = Object.entries({
      accept: "application/json",
      authorization: token === null ? undefined : `Bearer ${token}`,
      "content-type": sent.text === undefined ? undefined : "application/json",
      "content-length": sent.text === undefined ? undefined : Buffer.byteLength(sent.text),
      ...sent.headers,
    }).filter(([, value]) => value !== undefined);
    const { hostname, port } = new URL(url);

    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          agent,
          hostname,
          port,
          method,
          path: `/api${path}`,
          headers: Object.fromEntries(headers),
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
          incoming.on("error", reject);
          incoming.on("end", () => {
            const text = Buffer.concat(chunks).toString("utf8");
            const body = text === "" ? null : JSON.parse(text);
            const { statusCode: status = 0, headers } = incoming;
            try {
              checkAnswer(url, { method, path, status, headers, text, body });
            } catch (error) {
              reject(error);
            }
            resolve({ status, headers, text, body });
          });
        },
      );
      outgoing.on("error", reject);
      outgoing.end(sent.text);
    });
  }

  return {
    get: (path) => send("GET", path),
    list: (path) => send("GET", path),
    post: (path, body) => send("POST", path, { text: JSON.stringify(body) }),
    patch: (path, body) => send("PATCH", path, { text: JSON.stringify(body) }),
    put: (path, body) => send("PUT", path, { text: JSON.stringify(body) }),
    delete: (path) => send("DELETE", path),
    send,
  };
}

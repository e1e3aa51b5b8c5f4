import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as overHttp,
} from "node:http";
import { request as overHttps, Agent as SecureAgent } from "node:https";

/** A client for requests to the API. */
export interface Upstream {
  /** Begins a request. On its own connection, it cannot be lost to an idle connection that is just closing. */
  send(sent: Sent, connection: "own" | "shared"): ClientRequest;
  close(): void;
}

export interface Sent {
  readonly method: string;
  /** Path and query, byte for byte. */
  readonly target: string;
  readonly headers: OutgoingHttpHeaders;
}

/** Idle connections kept for further reads. */
const maxIdle = 64;

/** `url` is called for each request, since a development server may move to another port. */
export function openUpstream(url: () => string): Upstream {
  const shared = agentsOf(maxIdle);
  // Kept open while the response is read, so that an early response is not lost to a reset; not reused.
  const own = agentsOf(0);
  return {
    send({ method, target, headers }, connection) {
      const { protocol, hostname, port, host } = new URL(url());
      const isSecure = protocol === "https:";
      return (isSecure ? overHttps : overHttp)({
        hostname: hostname.replace(/^\[|\]$/g, ""),
        port,
        method,
        path: target,
        headers: { ...headers, host },
        agent: (connection === "shared" ? shared : own)[isSecure ? "https" : "http"],
      });
    },
    close() {
      for (const agent of [...Object.values(shared), ...Object.values(own)]) agent.destroy();
    },
  };
}

function agentsOf(maxFreeSockets: number) {
  const options = { keepAlive: true, maxFreeSockets };
  return { http: new Agent(options), https: new SecureAgent(options) };
}

/** The framing of a forwarded request's body; null for none. */
export function framing({ headers }: IncomingMessage): OutgoingHttpHeaders | null {
  if (headers["transfer-encoding"] !== undefined) return { "transfer-encoding": "chunked" };
  const length = headers["content-length"];
  return length === undefined ? null : { "content-length": length };
}

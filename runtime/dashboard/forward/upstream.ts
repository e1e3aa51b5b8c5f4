import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as overHttp,
} from "node:http";
import { request as overHttps, Agent as SecureAgent } from "node:https";

export interface Upstream {
  /** Begins a request. On its own connection, it cannot be lost because an idle connection is being closed. */
  send(sent: Sent, connection: "own" | "shared"): ClientRequest;
  close(): void;
}

export interface Sent {
  readonly method: string;
  /** Path and query, byte for byte as sent. */
  readonly target: string;
  readonly headers: OutgoingHttpHeaders;
}

/** Maximum number of idle connections for further reads. */
const maxIdle = 64;

/** Opens a client. `url` is called for each request, because a development server may move to another port. */
export function openUpstream(url: () => string): Upstream {
  const shared = agentsOf(maxIdle);
  // Stays open while the response is read, so that an early response is not lost to a reset; not reused.
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

/** Returns the framing of a forwarded request's body; null if it has no body. */
export function framing({ headers }: IncomingMessage): OutgoingHttpHeaders | null {
  if (headers["transfer-encoding"] !== undefined) return { "transfer-encoding": "chunked" };
  const length = headers["content-length"];
  return length === undefined ? null : { "content-length": length };
}

import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { newDashboardServer, type ServedDashboard } from "../../../../runtime/dashboard/index.js";
import { webFolder } from "./web.js";

/** A request as it reached the API. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** A dashboard in front of an API that does what a test says. */
export interface Pair {
  readonly url: string;
  readonly apiUrl: string;
  readonly received: readonly Received[];
  /** How the API answers from now on; the request has been read whole. */
  answer: (request: Received, ...rest: Parameters<RequestListener>) => void;
  close(): Promise<void>;
}

export async function openPair(settings: Partial<ServedDashboard> = {}): Promise<Pair> {
  const received: Received[] = [];
  const api = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { method = "", url = "", headers, rawHeaders } = request;
      const one = { method, url, headers, rawHeaders, body: Buffer.concat(parts).toString() };
      received.push(one);
      pair.answer(one, request, response);
    });
  });
  const apiUrl = await listening(api);
  const dashboard = newDashboardServer({
    apiUrl: () => apiUrl,
    webUrl: null,
    proxySecret: null,
    trustProxy: 0,
    look: { name: "Shop", logo: null, colour: null },
    root: ".",
    web: webFolder,
    ...settings,
  });
  const url = await listening(dashboard);
  const pair: Pair = {
    url,
    apiUrl,
    received,
    answer: (_request, _incoming, response) => json(response, 200, { data: [] }),
    close: async () => {
      await Promise.all([stopped(dashboard), stopped(api)]);
    },
  };
  return pair;
}

/** Answers with JSON, and with those headers. */
export function json(
  response: Parameters<RequestListener>[1],
  status: number,
  body: unknown,
  headers: Record<string, string | string[]> = {},
): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

export async function listening(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function stopped(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}

import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { selfSigned } from "../../../support/http/certificate.js";

/** A request that a receiver got. */
export interface Received {
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  readonly at: number;
}

/** A server that webhooks call. */
export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  close(): Promise<void>;
}

/** What it answers; 204 at once by default. */
export type Respond = (...given: [...Parameters<RequestListener>, Received]) => void;

export function startReceiver(respond: Respond = accept): Promise<Receiver> {
  return listen((listener) => createServer(listener), "http", respond);
}

/** A receiver with a certificate that no authority has signed. */
export async function startDoubtfulReceiver(): Promise<Receiver> {
  const { privateKey, certificate } = await selfSigned("CN=127.0.0.1", ["127.0.0.1"]);
  const key = privateKey.export({ type: "pkcs8", format: "pem" });
  const cert = certificate.toString("pem");
  return listen((listener) => createTlsServer({ key, cert }, listener), "https", accept);
}

export const accept: Respond = (_, response) => void response.writeHead(204).end();

export const refuseWith =
  (status: number, headers: Readonly<Record<string, string>> = {}): Respond =>
  (_, response) =>
    void response.writeHead(status, headers).end("no");

async function listen(
  create: (listener: RequestListener) => Server & { closeAllConnections(): void },
  scheme: string,
  respond: Respond,
): Promise<Receiver> {
  const received: Received[] = [];
  const server = create(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const one = { headers: request.headers, body, at: performance.now() };
    received.push(one);
    respond(request, response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${scheme}://127.0.0.1:${port}/hook`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

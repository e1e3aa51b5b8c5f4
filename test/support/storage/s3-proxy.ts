import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy of an S3 server: it answers some requests itself, and passes the others on. */
export interface S3Proxy {
  readonly endpoint: string;
  /** Method and query's first name of each request, such as `PUT partNumber`. */
  readonly seen: readonly string[];
  close(): Promise<void>;
}

/** Its own answer: a status, or silence; null passes the request on. `times` counts from 1. */
export type Interference = (request: string, times: number) => number | "silence" | null;

export async function openS3Proxy(endpoint: string, interfere: Interference): Promise<S3Proxy> {
  const target = new URL(endpoint);
  const seen: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const name = nameOf(incoming);
    seen.push(name);
    const answer = interfere(name, seen.filter((one) => one === name).length);
    if (answer === "silence") return;
    if (answer !== null) {
      incoming.resume();
      incoming.on("end", () => outgoing.writeHead(answer).end());
      return;
    }
    // The host that was signed stays in the headers.
    const { method, headers, url: path } = incoming;
    const { hostname, port } = target;
    const onward = request({ hostname, port, path, method, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function nameOf({ method = "", url = "" }: IncomingMessage): string {
  const names = new URL(url, "http://host").searchParams.keys();
  const [first = ""] = [...names].filter((name) => name !== "x-id").sort();
  return `${method} ${first}`.trim();
}

import { expect } from "vitest";
import { type Client, client, type Reply } from "../http/client.js";
import { childrenOf } from "./processes.js";
import type { ServerProcess, ShopServer } from "./shop-process.js";

/** For `openHost`: the variable WORKERS sets the number of processes. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: an interpolation of service.yaml
export const severalWorkers = "server: { workers: '${WORKERS:-2}' }\n";

/** The process that gave the answer: its part of the request's id. */
export function instanceOf({ headers }: Reply): string {
  return String(headers["x-request-id"]).split("-")[0] ?? "";
}

/** GET on a separate connection, so that the next worker answers. */
export function getAnew(client: Client, path: string): Promise<Reply> {
  return client.send("GET", path, { headers: { connection: "close" } });
}

/** The processes that answer these many requests in a row. */
export async function instances({ anonymous }: ShopServer, requests = 20): Promise<Set<string>> {
  const found = new Set<string>();
  for (let sent = 0; sent < requests; sent += 1) {
    const reply = await getAnew(anonymous, "/auth/config");
    expect(reply.status, reply.text).toBe(200);
    found.add(instanceOf(reply));
  }
  return found;
}

export function workersOf({ pid }: ServerProcess): number[] {
  return childrenOf(pid);
}

/**
 * As many clients for each of two processes, each with one open connection to it: a process that is busy is passed over
 * when connections are given out, so that requests sent at once may all be with the other.
 */
export async function clientsOfBoth(server: ShopServer, each: number): Promise<readonly Client[]> {
  const found = new Map<string, Client[]>();
  const isEnough = () => [...found.values()].filter(({ length }) => length >= each).length === 2;
  for (let opened = 0; !isEnough(); opened += 1) {
    expect(opened, "connections that one process took").toBeLessThan(200);
    const one = client(server.url, server.token);
    const instance = instanceOf(await one.get("/auth/config"));
    found.set(instance, [...(found.get(instance) ?? []), one]);
  }
  return [...found.values()].flatMap((clients) => clients.slice(0, each));
}

import { expect } from "vitest";
import type { Client, Reply } from "../http/client.js";
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

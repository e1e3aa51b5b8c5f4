import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { client } from "../support/http/client.js";
import { openHost, type ShopHost, type ShopServer } from "../support/processes/shop-process.js";
import { instances, workersOf } from "../support/processes/workers.js";

let host: ShopHost;
let settings: string;
let was: string;

/** With a route that takes as long as a client says. */
const program = `
import { Router } from "express";
import { createApp } from "./generated/app.js";
const routes = Router();
routes.get("/slow/:ms", (request, response) => {
  setTimeout(() => response.json("done"), Number(request.params.ms));
});
const app = await createApp({ routes });
await app.listen();
`;

beforeAll(async () => {
  host = await openHost("server: { workers: 2, drain_seconds: 1, drain_delay_seconds: 600 }\n");
  settings = join(host.root, "service.yaml");
  was = readFileSync(settings, "utf8");
  const express = join(import.meta.dirname, "../../node_modules/express");
  symlinkSync(express, join(host.root, "node_modules/express"));
});
afterAll(() => host.close());
beforeEach(() => {
  writeFileSync(settings, was);
  writeFileSync(join(host.root, "dist/server.js"), program);
});

function listenTo({ process }: ShopServer): () => string {
  let said = "";
  process.stdout.on("data", (chunk) => {
    said += chunk;
  });
  return () => said;
}

/** Kills the first process, what replaces it, and so on; does not wait for what replaces the last one. */
async function endInARow(
  server: ShopServer,
  said: () => string,
  { times, beforeLast }: { readonly times: number; beforeLast?(): void },
): Promise<void> {
  const [first, other] = workersOf(server.process);
  let victim = first ?? Number.NaN;
  for (let ends = 1; ends <= times; ends += 1) {
    if (ends === times) beforeLast?.();
    process.kill(victim, "SIGKILL");
    const replaced = () => said().match(/A server process is replaced/g)?.length;
    await expect.poll(replaced).toBe(ends);
    if (ends === times) break;
    const next = () => workersOf(server.process).find((pid) => pid !== victim && pid !== other);
    await expect.poll(next, { timeout: 30_000 }).toBeDefined();
    victim = next() ?? victim;
  }
}

async function reloadToTwo(server: ShopServer, said: () => string): Promise<void> {
  server.process.kill("SIGHUP");
  await expect.poll(said, { timeout: 60_000 }).toContain("The server processes were replaced");
  await sleep(5_000);
  // A former one stays as long as its connections, and takes no further ones: on a busy machine some seconds later.
  const found = async () => (await instances(server, 30)).size;
  await expect.poll(found, { timeout: 30_000, interval: 1_000 }).toBe(2);
}

test("a reload while a process exits repeatedly ends with the right number of processes", async () => {
  const server = await host.serve();
  const said = listenTo(server);
  // The pause before the next start has grown to four seconds then.
  await endInARow(server, said, { times: 5 });
  await reloadToTwo(server, said);
  expect(said().match(/A server process is replaced/g)).toHaveLength(5);
  server.process.kill("SIGINT");
  expect((await server.process).exitCode).toBe(0);
}, 180_000);

test("a process started for a dead one during a reload does not stay beside the new one", async () => {
  const server = await host.serve();
  const said = listenTo(server);
  await endInARow(server, said, {
    times: 3,
    // There is a pause of a second then: the new process starts before it, and takes its place while it starts.
    beforeLast() {
      const slow = `await new Promise((resolve) => setTimeout(resolve, 4_000));\n${program}`;
      writeFileSync(join(host.root, "dist/server.js"), slow);
    },
  });
  await reloadToTwo(server, said);
  server.process.kill("SIGINT");
  expect((await server.process).exitCode).toBe(0);
}, 180_000);

test("a reload changes how long the server takes to stop", async () => {
  const server = await host.serve();
  const said = listenTo(server);
  writeFileSync(
    settings,
    was.replace(/drain_seconds: 1, drain_delay_seconds: 600/, "drain_seconds: 60"),
  );
  server.process.kill("SIGHUP");
  await expect.poll(said, { timeout: 60_000 }).toContain("The server processes were replaced");
  // Longer than the former time and what the processes get beyond it; not to one that was replaced, which has a connection.
  const slow = client(server.url, server.token).get("/slow/20000");
  await sleep(500);
  // Execa would kill it after five seconds.
  process.kill(server.process.pid ?? 0, "SIGTERM");
  expect((await slow).body).toBe("done");
  expect((await server.process).exitCode).toBe(0);
  expect(said()).not.toContain("did not end in time");
}, 120_000);

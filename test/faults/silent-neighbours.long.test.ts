import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "../support/load/ask.js";
import { openUnderLoad, type UnderLoad } from "../support/load/under-load.js";

/** Takes connections and says nothing. */
let silent: Server;
const sockets = new Set<Socket>();
let shop: UnderLoad;
beforeAll(async () => {
  silent = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  shop = await openUnderLoad({
    settings: "auth: { check_breached_passwords: true }\n",
    variables: {
      SERVICE_BREACH_URL: `http://127.0.0.1:${port}`,
      SERVICE_MAIL_URL: `smtp://127.0.0.1:${port}`,
      SERVICE_MAIL_FROM: "Shop <shop@example.com>",
    },
  });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  silent.close();
  await shop.close();
});

test("a silent mail server and list of breached passwords delay no other request", async () => {
  const load = await shop.startLoad();
  // Each change of a password asks for both; a forgotten one is told to nobody but the mail server.
  const path = "/auth/password/forgot";
  for (let at = 0; at < 6; at += 1) {
    const body = { email: `visitor-${at}@example.com` };
    const began = performance.now();
    expect((await ask(load.url, { method: "POST", path, body })).status).toBe(204);
    expect(performance.now() - began).toBeLessThan(2_000);
  }
  const turns = () => [...shop.ledger.turns.values()].reduce((sum, some) => sum + some, 0);
  const before = turns();
  await sleep(6_000);
  // A change of a password waits two seconds for the list; a busy machine takes longer for the rest.
  await expect.poll(turns, { timeout: 30_000 }).toBeGreaterThan(before + 2);
  expect(sockets.size).toBeGreaterThan(1);
  expect(shop.ledger.phase.failed).toEqual([]);
  await shop.expectNothingLost(load);
});

import { once } from "node:events";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { afterEach, expect, test } from "vitest";
import { type HeldPort, newHeldPort } from "../../bin/commands/dev/held-port.js";
import { freePort } from "../../bin/embedded/port.js";

const host = "127.0.0.1";
const ownAddresses = Object.values(networkInterfaces()).flatMap((interfaces) => interfaces ?? []);
const hosts = [
  { name: "127.0.0.1", reached: "127.0.0.1" },
  { name: "::1", reached: "[::1]" },
  { name: "::", reached: "[::1]" },
].filter(({ name }) => name === host || ownAddresses.some(({ address }) => address === "::1"));

let held: HeldPort;

afterEach(() => held.close());

async function openSomewhere(): Promise<string> {
  const port = await freePort(host);
  expect(await held.open({ host, port })).toBe(true);
  return `http://${host}:${port}`;
}

async function answerOf(page: string, init?: RequestInit): Promise<unknown> {
  const answer = await fetch(page, init);
  return [answer.status, answer.headers.get("retry-after"), await answer.json()];
}

const late = [503, "1", { error: "The server is still starting: try again in a moment" }];
const stopped = [
  503,
  "1",
  { error: "The server is not running: the output of npx service dev has the reason" },
];

test.for(hosts)(
  "answers at $name that no server has started in time",
  async ({ name, reached }) => {
    held = newHeldPort(10);
    const port = await freePort(name);
    expect(await held.open({ host: name, port })).toBe(true);
    expect(await answerOf(`http://${reached}:${port}/api/tasks`)).toEqual(late);
  },
);

test("answers waiting and new requests once no server is about to start", async () => {
  held = newHeldPort(2 ** 30);
  const page = await openSomewhere();
  const body = JSON.stringify({ title: "x".repeat(1_000_000) });
  const waiting = answerOf(page, { method: "POST", body });
  held.refuse();
  expect(await waiting).toEqual(stopped);
  expect(await answerOf(page)).toEqual(stopped);
});

test("reports that the port is taken, and frees its own at the end", async () => {
  held = newHeldPort();
  const port = await freePort(host);
  const other = createServer().listen(port, host);
  await once(other, "listening");
  expect(await held.open({ host, port })).toBe(false);
  other.close();
  await once(other, "close");
  expect(await held.open({ host, port })).toBe(true);
  const waiting = fetch(`http://${host}:${port}`);
  held.close();
  await expect(waiting).rejects.toThrow();
  const next = createServer().listen(port, host);
  await once(next, "listening");
  next.close();
});

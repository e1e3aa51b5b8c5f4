import { afterAll, beforeAll, expect } from "vitest";
import { Refusal } from "../../../../runtime/errors/index.js";
import { createQueue } from "../../../../runtime/queue/index.js";
import { client } from "../../../support/http/client.js";
import { rare, test } from "../../../support/rare.js";
import { type AuthServer, rightPassword, startAuth } from "../support/server.js";

let server: AuthServer;

beforeAll(async () => {
  server = await startAuth();
});
afterAll(() => server.close());

rare("a flood of sign-ins gets 503 and Retry-After, and then everything is as before", async () => {
  const email = await server.account("ada");
  const clients = Array.from({ length: 8 }, () => client(server.url, null));
  const flood = Array.from({ length: 250 }, (_, index) =>
    clients[index % clients.length]?.post("/auth/token", {
      email: `flood-${index}@example.com`,
      password: "wrong password",
    }),
  );
  const replies = await Promise.all(flood);
  const turnedAway = replies.filter((reply) => reply?.status === 503);
  expect(turnedAway.length).toBeGreaterThan(0);
  expect(replies.filter((reply) => reply?.status === 401)).toHaveLength(250 - turnedAway.length);
  for (const reply of turnedAway) {
    expect(reply?.headers["retry-after"]).toBe("1");
    expect(reply?.body).toEqual({ error: "Try again in a moment" });
  }
  const reply = await client(server.url, null).post("/auth/token", {
    email,
    password: rightPassword,
  });
  expect(reply.status).toBe(201);
});

test("the queue runs a fixed number at a time, in order, and refuses only beyond its length", async () => {
  const queue = createQueue({ concurrency: 2, waiting: 2 });
  const ends: (() => void)[] = [];
  const begun: number[] = [];
  const work = (name: number) => async () => {
    begun.push(name);
    await new Promise<void>((end) => ends.push(end));
    return name;
  };
  const results = [1, 2, 3, 4].map((name) => queue.run(work(name)));
  await expect(queue.run(work(5))).rejects.toEqual(new Refusal("UNAVAILABLE", { retryAfter: 1 }));
  expect(begun).toEqual([1, 2]);

  ends.shift()?.();
  expect(await results[0]).toBe(1);
  await expect.poll(() => begun).toEqual([1, 2, 3]);
  const sixth = queue.run(work(6));
  for (let count = 0; count < 4; count += 1) {
    await expect.poll(() => ends.length).toBeGreaterThan(0);
    ends.shift()?.();
  }
  expect(await Promise.all([...results, sixth])).toEqual([1, 2, 3, 4, 6]);
  expect(begun).toEqual([1, 2, 3, 4, 6]);
});

test("failed work frees its slot", async () => {
  const queue = createQueue({ concurrency: 1, waiting: 0 });
  await expect(queue.run(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await queue.run(async () => "done")).toBe("done");
});

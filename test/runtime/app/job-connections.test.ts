import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "service-runtime/app";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { Job } from "../../../runtime/own-code/index.js";
import { type RunningApp, startApp } from "../../support/apps/app.js";

let shop: RunningApp;
let app: App;
const tries: string[] = [];
let holding = 0;
let brief = 0;
let letGo = () => {};
const isLetGo = new Promise<void>((resolve) => {
  letGo = resolve;
});
let thrown: unknown;

const input = z.object({ n: z.number().default(0) });
const jobs: Readonly<Record<string, Job>> = {
  holder: {
    input,
    transaction: true,
    run: async () => {
      holding += 1;
      await isLetGo;
    },
  },
  hurried: {
    input,
    seconds: 2,
    transaction: true,
    run: async (given, { attempt }) => {
      tries.push(`${(given as { readonly n: number }).n} at ${attempt}`);
    },
  },
  brief: {
    input,
    run: async (_, { db }) => {
      await db.query("select 1");
      brief += 1;
    },
  },
  nested: {
    input,
    run: (_, { db, jobs: own }) =>
      db.transaction(async (within) => {
        await within.query("select 1");
        thrown = [
          await db.query("select 1").catch((error: unknown) => error),
          await own.add("brief", {}).catch((error: unknown) => error),
        ];
      }),
  },
  long: {
    input,
    seconds: 300,
    transaction: true,
    run: async (_, { db }) => {
      thrown = await db.query("show idle_in_transaction_session_timeout");
    },
  },
  hangs: { input, seconds: 1, tries: 1, run: () => new Promise(() => {}) },
};

beforeAll(async () => {
  shop = await startApp("apps/shop", { jobs }, (made) => {
    app = made;
  });
});
afterAll(() => shop.close());

const left = async () =>
  (
    await shop.db.query<{ name: string; state: string }>(
      "select name, state from service.jobs where state <> 'failed' order by name",
    )
  ).map(({ name }) => name);

test("a job with a transaction waits for its connection outside its timeout, and leaves one to others", async () => {
  tries.splice(0);
  for (const _ of [1, 2, 3]) await app.jobs.add("holder", {});
  // All that jobs with a transaction have.
  await expect.poll(() => holding).toBe(3);
  await app.jobs.add("hurried", { n: 1 });
  const running = "select from service.jobs where name = 'hurried' and state = 'running'";
  await expect.poll(() => shop.db.query(running)).toHaveLength(1);
  await app.jobs.add("brief", {});
  await expect.poll(() => brief).toBe(1);
  // Longer than the seconds of the one that waits.
  await sleep(2_500);
  expect(tries).toEqual([]);
  letGo();
  await expect.poll(left).toEqual([]);
  expect(tries).toEqual(["1 at 1"]);
});

test("within a job's own transaction only the objects given to it can be used", async () => {
  await app.jobs.add("nested", {});
  await expect.poll(left).toEqual([]);
  const said =
    'the context of the job "nested" cannot be used in db.transaction of the job "nested": use what is passed to its function';
  expect(thrown).toMatchObject([{ message: said }, { message: said }]);
});

test("its transaction may stay idle for the job's whole timeout", async () => {
  await app.jobs.add("long", {});
  await expect.poll(left).toEqual([]);
  expect(thrown).toEqual([{ idle_in_transaction_session_timeout: "305s" }]);
});

test("a job that never returns has failed after its timeout", async () => {
  const id = await app.jobs.add("hangs", {});
  await expect
    .poll(() => shop.db.query("select state, error from service.jobs where id = $1", [id]))
    .toEqual([{ state: "failed", error: "The job took more than 1 s" }]);
});

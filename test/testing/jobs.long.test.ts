import { startTestApp } from "service-cli/testing";
import { failJob, Refusal, refusal } from "service-runtime/errors";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { z } from "zod";
import { createApp } from "../../fixtures/apps/shop/generated/app.js";
import { createClient } from "../../fixtures/apps/shop/generated/client.js";
import { withVariables } from "../support/processes/environment.js";

/** What each test changes. */
const own = {
  before: async (_add: (input: { readonly name: string }) => Promise<string>): Promise<void> => {},
  run: async (): Promise<unknown> => "ran",
  write: async (): Promise<void> => {},
};

const make = () =>
  createApp({
    hooks: {
      categories: {
        beforeCreate: async (_values, { jobs }) => {
          await own.before((input) => jobs.add("greet", input));
        },
        afterCreate: async ({ name }, { jobs }) => {
          if (name === "After") await jobs.add("greet", { name: "after" });
        },
      },
    },
    policies: {
      coupons: {
        create: async (_caller, { code }, { jobs }) => {
          await jobs.add("greet", { name: code });
          return code !== "REFUSED";
        },
      },
    },
    jobs: {
      greet: {
        input: z.object({ name: z.string().max(70_000), times: z.coerce.number().default(1) }),
        run: ({ name, times }, { attempt }) => ({ name, times, attempt }),
      },
      odd: { input: z.object({}), run: () => own.run(), tries: 3 },
      tick: { input: z.object({}), run: () => {} },
      write: {
        input: z.object({ name: z.string() }),
        transaction: true,
        run: async ({ name }, context) => {
          await context.resources.categories.create({ name });
          await context.jobs.add("greet", { name });
          await context.mail.send({ to: "ada@example.com", subject: name, text: name });
          await own.write();
        },
      },
      look: {
        input: z.object({}),
        run: (_, { resources, db, mail, files, log, ...rest }) => {
          const { jobs, signal, ...plain } = rest;
          return {
            plain,
            keys: [resources, db, mail, files, log, jobs, signal].map((one) => typeof one),
          };
        },
      },
      again: {
        input: z.object({}),
        run: async (_, { jobs }) => void (await jobs.add("again", {})),
      },
    },
    schedule: {
      nightly: {
        job: "greet",
        cron: `0 ${(now.getUTCHours() + 12) % 24} * * *`,
        timezone: "Europe/Oslo",
        input: { name: "night" },
      },
      hourly: { job: "tick", cron: `${(now.getUTCMinutes() + 30) % 60} * * * *` },
    },
  });

/** The schedules are not due while the tests run, whatever time it is. */
const now = new Date();

const start = () =>
  withVariables(
    { DATABASE_URL: inject("postgresUrl"), SHOP_STORAGE: "/nowhere", SERVICE_LOG_LEVEL: "silent" },
    () => startTestApp(make, { createClient }),
  );
let service: Awaited<ReturnType<typeof start>>;
let client: ReturnType<typeof createClient>;
const usual = { ...own };
beforeAll(async () => {
  service = await start();
});
afterAll(() => service.stop());
afterEach(async () => {
  Object.assign(own, usual);
  await service.reset();
});

async function signIn() {
  ({ client } = await service.account({ role: "admin" }));
}

const day = 86_400_000;
const done = (name: string, input: object, result: unknown) => ({
  name,
  input,
  result,
  error: null,
});

test("a job gets its checked input and its context, and returns a result", async () => {
  const id = await service.app.jobs.add("look", {});
  await service.app.jobs.add("greet", { name: "Ada", times: "3" });
  const [looked, greeted, ...rest] = await service.jobs.run();
  expect(looked).toEqual({
    name: "look",
    input: {},
    result: {
      plain: { id, attempt: 1, scheduledAt: expect.any(Date), caller: null, traceparent: null },
      keys: ["object", "object", "object", "object", "object", "object", "object"],
    },
    error: null,
  });
  const input = { name: "Ada", times: 3 };
  expect(greeted).toEqual(done("greet", input, { ...input, attempt: 1 }));
  expect(rest).toEqual([]);
  expect(await service.jobs.run()).toEqual([]);
});

test("a job of a before hook is in the transaction of the write", async () => {
  await signIn();
  own.before = async (add) => void (await add({ name: "kept" }));
  await client.categories.create({ name: "Teas" });
  expect(await service.jobs.run()).toMatchObject([{ name: "greet", input: { name: "kept" } }]);
  for (const thrown of [refusal(409, "No"), new Error("a bug")]) {
    own.before = async (add) => {
      await add({ name: "lost" });
      throw thrown;
    };
    await expect(client.categories.create({ name: "Coffees" })).rejects.toThrow();
  }
  own.before = async (add) => void (await add({ name: "lost" }));
  await expect(client.categories.create({ name: "Teas" })).rejects.toMatchObject({ status: 422 });
  expect(await service.jobs.run()).toEqual([]);
});

test("a job of an after hook, of a policy or of app.transaction is in its transaction", async () => {
  await signIn();
  await client.categories.create({ name: "After" });
  await expect
    .poll(() => service.jobs.run())
    .toMatchObject([{ name: "greet", input: { name: "after" } }]);
  const code = (text: string) => client.coupons.create({ code: text });
  await code("WELCOME").catch((error) => expect(error).toBeInstanceOf(Error));
  await expect(code("REFUSED")).rejects.toMatchObject({ status: 403 });
  await service.app.transaction(({ jobs }) => jobs.add("greet", { name: "ours" }));
  const broken = service.app.transaction(async ({ jobs }) => {
    await jobs.add("greet", { name: "lost" });
    throw new Error("no");
  });
  await expect(broken).rejects.toThrow("no");
  const names = (await service.jobs.run()).map(({ input }) => input);
  expect(names).not.toContainEqual(expect.objectContaining({ name: "REFUSED" }));
  expect(names).toContainEqual(expect.objectContaining({ name: "ours" }));
  expect(names).not.toContainEqual(expect.objectContaining({ name: "lost" }));
});

test("app.jobs cannot be used within a hook's transaction", async () => {
  await signIn();
  let thrown: unknown;
  own.before = async () => {
    thrown = await service.app.jobs.add("greet", { name: "x" }).catch((error) => error);
  };
  await client.categories.create({ name: "Teas" });
  expect(String(thrown)).toContain("app.jobs cannot be used in categories.beforeCreate");
});

test.each<[string, string, unknown, object | undefined, RegExp]>([
  ["another name", "gret", {}, undefined, /no job "gret"; did you mean "greet"/],
  ["a name of every object", "constructor", {}, undefined, /no job "constructor"/],
  ["a wrong input", "greet", { name: 1 }, undefined, /"name": /],
  ["no input", "greet", undefined, undefined, /cannot be written as JSON/],
  ["65 kB", "greet", { name: "x".repeat(65_536) }, undefined, /larger than 64 kB/],
  ["a broken date", "greet", { name: "x" }, { at: new Date(Number.NaN) }, /"at"/],
  ["a text as date", "greet", { name: "x" }, { at: "2026-01-01" }, /"at"/],
  ["an empty key", "greet", { name: "x" }, { key: "" }, /"key"/],
  ["a priority of 11", "greet", { name: "x" }, { priority: 11 }, /"priority"/],
  ["a priority of 0.5", "greet", { name: "x" }, { priority: 0.5 }, /"priority"/],
])("refuses %s and stores nothing", async (_, name, input, options, problem) => {
  const add = service.app.jobs.add as (...given: unknown[]) => Promise<string>;
  await expect(add(name, input, options)).rejects.toThrow(problem);
  expect(await service.jobs.run()).toEqual([]);
});

test("an input of 64 kB, and characters that PostgreSQL refuses, arrive unchanged", async () => {
  const name = `\0${"x".repeat(65_536 - 20)}`;
  await service.app.jobs.add("greet", { name });
  await service.app.jobs.add("greet", { name: "\ud800" });
  const runs = await service.jobs.run();
  expect(runs.map(({ input }) => input)).toEqual([
    { name, times: 1 },
    { name: "\ud800", times: 1 },
  ]);
});

test("with a transaction the effect and the job's end are one", async () => {
  await service.app.jobs.add("write", { name: "Teas" });
  own.write = () => Promise.reject(new Error("no luck"));
  const [failed] = await service.jobs.run();
  expect(failed).toMatchObject({ name: "write", error: { message: "no luck" } });
  expect(await service.app.resources.categories.count()).toBe(0);
  expect(await service.mails()).toEqual([]);
  own.write = async () => {};
  const runs = await service.jobs.run({ until: new Date(Date.now() + 60_000) });
  expect(runs.map(({ name, error }) => [name, error])).toEqual([
    ["write", null],
    ["greet", null],
  ]);
  expect(await service.app.resources.categories.count()).toBe(1);
  expect(await service.mails()).toHaveLength(1);
});

test("a failed job is retried until the given time, at most as often as its attempts allow", async () => {
  await service.app.jobs.add("odd", {});
  own.run = () => Promise.reject(undefined);
  expect(await service.jobs.run()).toMatchObject([{ name: "odd", error: new Error("undefined") }]);
  expect(await service.jobs.run()).toEqual([]);
  const runs = await service.jobs.run({ until: new Date(Date.now() + 45 * 60_000) });
  expect(runs.filter(({ name }) => name === "odd")).toHaveLength(2);
  await service.app.jobs.add("odd", {});
  own.run = () => Promise.reject(failJob("enough"));
  expect(await service.jobs.run()).toMatchObject([{ error: { message: "enough" } }]);
  own.run = () => Promise.reject(new Refusal("FORBIDDEN"));
});

test("until another time each time of a schedule runs once, in order", async () => {
  await service.jobs.run();
  const runs = await service.jobs.run({ until: new Date(Date.now() + 2 * day) });
  expect(runs.filter(({ name }) => name === "greet")).toHaveLength(2);
  const hours = runs.filter(({ name }) => name === "tick").length;
  expect([47, 48, 49]).toContain(hours);
  const next = await service.jobs.run({ until: new Date(Date.now() + 2 * day) });
  expect(next).toEqual([]);
});

test("a job that adds itself does not run for ever", async () => {
  await service.app.jobs.add("again", {});
  await expect(service.jobs.run()).rejects.toThrow("1000 jobs have run, and more are due");
});

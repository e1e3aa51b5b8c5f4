import { startTestApp } from "service-cli/testing";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { z } from "zod";
import { createApp } from "../../fixtures/apps/shop/generated/app.js";
import { createClient } from "../../fixtures/apps/shop/generated/client.js";
import { withVariables } from "../support/processes/environment.js";

const input = z.object({ n: z.number().default(0) });
let fails = true;

const start = () =>
  withVariables(
    { DATABASE_URL: inject("postgresUrl"), SHOP_STORAGE: "/nowhere", SERVICE_LOG_LEVEL: "silent" },
    () =>
      startTestApp(
        () =>
          createApp({
            jobs: {
              report: { input, run: () => {} },
              charge: {
                input,
                tries: 1,
                run: () => {
                  if (fails) throw new Error(`Declined ${"x".repeat(600)}`);
                },
              },
            },
            schedule: {
              nightly: { job: "report", cron: "0 3 * * *", timezone: "Europe/Oslo" },
              hourly: { job: "charge", cron: "@hourly", input: { n: 1 } },
            },
          }),
        { createClient },
      ),
  );
let service: Awaited<ReturnType<typeof start>>;
let token: string;
beforeAll(async () => {
  service = await start();
  ({ token } = await service.account({ role: "admin" }));
});
afterAll(() => service.stop());

const none = "00000000-0000-4000-8000-000000000000";

async function ask(path: string, method = "GET", by = token) {
  const headers = { authorization: `Bearer ${by}` };
  return fetch(`${service.url}/api/_service${path}`, { method, headers });
}

interface Shown {
  readonly id: string;
  readonly [key: string]: unknown;
}
interface Listed {
  readonly data: readonly Shown[];
  readonly meta: { readonly perPage: number; readonly next: string | null };
}

async function list(query = ""): Promise<Listed> {
  const answer = await ask(`/jobs${query}`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Listed;
}

async function schedules(): Promise<readonly Shown[]> {
  return ((await (await ask("/schedule")).json()) as Listed).data;
}

async function refused(path: string, method: string): Promise<unknown> {
  const answer = await ask(path, method);
  return [answer.status, ((await answer.json()) as { error: string }).error];
}

/** The only jobs: one that waits until later, and one that has failed. */
async function laterAndFailed() {
  await service.app.db.query("delete from service.jobs");
  fails = true;
  const at = new Date(Date.now() + 3_600_000);
  const later = await service.app.jobs.add("report", { n: 41 }, { at, key: "today" });
  const failed = await service.app.jobs.add("charge", { n: 42 });
  await service.jobs.run();
  return { at, later, failed };
}

test("operators see waiting and failed jobs, newest first, without inputs", async () => {
  const { at, later, failed } = await laterAndFailed();
  const { data, meta } = await list();
  expect(meta).toEqual({ perPage: 25, next: null });
  expect(data).toEqual([
    {
      id: failed,
      name: "charge",
      state: "failed",
      key: null,
      attempt: 1,
      tries: 1,
      at: expect.any(String),
      startedAt: expect.any(String),
      error: `Declined ${"x".repeat(491)}`,
      createdAt: expect.any(String),
    },
    {
      id: later,
      name: "report",
      state: "waiting",
      key: "today",
      attempt: 0,
      tries: 10,
      at: at.toISOString(),
      startedAt: null,
      error: null,
      createdAt: expect.any(String),
    },
  ]);
  const ids = async (query: string) => (await list(query)).data.map(({ id }) => id);
  expect(await ids("?filter[state]=failed")).toEqual([failed]);
  expect(await ids("?filter[state]=running")).toEqual([]);
  expect(await ids("?filter[name]=report&filter[state]=waiting")).toEqual([later]);
  const first = await list("?perPage=1");
  expect(first.data.map(({ id }) => id)).toEqual([failed]);
  const second = await list(`?perPage=1&cursor=${first.meta.next}`);
  expect(second).toMatchObject({ data: [{ id: later }], meta: { perPage: 1, next: null } });
});

test.each([
  ["perPage=0"],
  ["perPage=101"],
  ["cursor=x"],
  ["filter[state]=done"],
  ["filter[key]=x"],
  ["filter[name]=%00"],
  ["page=2"],
])("refuses ?%s", async (query) => {
  expect((await ask(`/jobs?${query}`)).status).toBe(400);
});

test("a failed job is retried, a waiting one is not; either can be deleted", async () => {
  const { later, failed } = await laterAndFailed();
  expect(await refused(`/jobs/${later}/retry`, "POST")).toEqual([
    409,
    "Only a failed job can be retried",
  ]);
  expect((await ask(`/jobs/${failed}/retry`, "POST")).status).toBe(204);
  expect((await list()).data[0]).toMatchObject({
    id: failed,
    state: "waiting",
    attempt: 0,
  });
  fails = false;
  expect(await service.jobs.run()).toMatchObject([{ name: "charge", error: null }]);
  expect((await ask(`/jobs/${later}`, "DELETE")).status).toBe(204);
  expect((await list()).data).toEqual([]);
  for (const [method, path] of [
    ["DELETE", `/jobs/${later}`],
    ["POST", `/jobs/${none}/retry`],
    ["POST", "/jobs/x/retry"],
    ["DELETE", "/jobs/x"],
  ] as const) {
    expect((await ask(path, method)).status).toBe(404);
  }
});

test("a running job is neither deleted nor retried", async () => {
  const id = await service.app.jobs.add("report", {});
  await service.app.db.query(
    "update service.jobs set state = 'running', claim = gen_random_uuid()",
  );
  expect((await ask(`/jobs/${id}`, "DELETE")).status).toBe(409);
  expect((await ask(`/jobs/${id}/retry`, "POST")).status).toBe(409);
  await service.app.db.query("delete from service.jobs");
});

test("schedules are shown with their times, and run at once on demand", async () => {
  expect(await schedules()).toEqual([
    {
      name: "nightly",
      job: "report",
      cron: "0 3 * * *",
      timezone: "Europe/Oslo",
      lastAt: null,
      lastState: null,
      nextAt: expect.stringMatching(/T0[12]:00:00.000Z$/),
    },
    {
      name: "hourly",
      job: "charge",
      cron: "@hourly",
      timezone: "UTC",
      lastAt: null,
      lastState: null,
      nextAt: expect.stringMatching(/:00:00.000Z$/),
    },
  ]);
  expect((await ask("/schedule/nightly/run", "POST")).status).toBe(202);
  const nightly = async () => (await schedules())[0];
  expect(await nightly()).toMatchObject({ lastState: "waiting", lastAt: expect.any(String) });
  expect((await ask("/schedule/nightly/run", "POST")).status).toBe(409);
  expect(await service.jobs.run()).toMatchObject([{ name: "report", input: { n: 0 } }]);
  expect(await nightly()).toMatchObject({ lastState: "done" });
  await ask("/schedule/nightly/run", "POST");
  await service.jobs.run();
  expect((await ask("/schedule/weekly/run", "POST")).status).toBe(404);
});

test("the attempts of the last day are counted by hour", async () => {
  await service.app.db.query("delete from service.job_hours");
  await service.app.db.query(
    `insert into service.job_hours (hour, done, failed)
     values (date_trunc('hour', now(), 'UTC'), 3, 1),
       (date_trunc('hour', now(), 'UTC') - interval '24 hours', 9, 9)`,
  );
  const answer = await ask("/jobs/hours");
  const { data } = (await answer.json()) as { data: readonly { readonly at: string }[] };
  expect(data).toHaveLength(24);
  expect(data.at(-1)).toEqual({ at: expect.stringMatching(/:00:00.000Z$/), done: 3, failed: 1 });
  expect(data[0]).toEqual({ at: expect.any(String), done: 0, failed: 0 });
  expect(Date.parse(data[23]?.at ?? "") - Date.parse(data[0]?.at ?? "")).toBe(23 * 3_600_000);
});

test("the list of resources shows operators that there are jobs", async () => {
  const told = async (by: string) => (await ask("/resources", "GET", by)).headers;
  expect((await told(token)).get("service-parts")).toBe("jobs");
  const { token: other } = await service.account({ role: "staff" });
  expect((await told(other)).get("service-parts")).toBe(null);
});

test("others get 403 or 401, and changes need a fresh sign-in", async () => {
  const calls = [
    ["GET", "/jobs"],
    ["GET", "/jobs/hours"],
    ["POST", `/jobs/${none}/retry`],
    ["DELETE", `/jobs/${none}`],
    ["GET", "/schedule"],
    ["POST", "/schedule/nightly/run"],
  ] as const;
  const { token: other } = await service.account({ role: "staff" });
  for (const [method, path] of calls) {
    expect((await ask(path, method, other)).status).toBe(403);
    expect((await ask(path, method, "none")).status).toBe(401);
  }
  await service.app.db.query(
    "update service.sessions set created_at = created_at - interval '2 days'",
  );
  const answers = await Promise.all(calls.map(([method, path]) => ask(path, method)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 403, 403, 200, 403]);
});

test("without jobs these paths do not exist", async () => {
  const plain = await withVariables(
    { DATABASE_URL: inject("postgresUrl"), SHOP_STORAGE: "/nowhere", SERVICE_LOG_LEVEL: "silent" },
    () => startTestApp(() => createApp(), { createClient }),
  );
  try {
    const { client } = await plain.account({ role: "admin" });
    for (const path of ["/_service/jobs", "/_service/jobs/hours", "/_service/schedule"]) {
      await expect(client.request("GET", path)).rejects.toMatchObject({ status: 404 });
    }
    await expect(plain.jobs.run()).rejects.toThrow("the app has no jobs");
    const [row] = await plain.app.db.query<{ count: number }>(
      "select (select count(*) from service.jobs) + (select count(*) from service.job_names) + (select count(*) from service.schedules) + (select count(*) from service.job_hours) as count",
    );
    expect(Number(row?.count)).toBe(0);
  } finally {
    await plain.stop();
  }
});

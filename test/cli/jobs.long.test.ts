import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AccountsApp, openAccountsApp } from "./accounts-app.js";

let app: AccountsApp;
beforeAll(async () => {
  app = await openAccountsApp();
});
beforeEach(async () => {
  await app.db.query("delete from service.jobs");
});
afterAll(() => app.close());

const jobs = (...args: string[]) => app.run(["jobs", ...args]);

async function stored(name: string, state: string): Promise<string> {
  const { rows } = await app.db.query<{ id: string }>(
    `insert into service.jobs (id, name, input, tries, due_at, scheduled_at, state, attempt, error)
     values (gen_random_uuid(), $1, '{"secret":1}', 3, now(), now(), $2, 1, 'no luck')
     returning id`,
    [name, state],
  );
  return rows[0]?.id ?? "";
}

test("lists jobs, by name and state, without inputs", async () => {
  const empty = await jobs("list");
  expect(empty).toMatchObject({ exitCode: 0 });
  expect(empty.stdout).toContain("No jobs match");
  const id = await stored("charge", "failed");
  await stored("report", "waiting");
  const { stdout } = await jobs("list", "--state", "failed", "--json");
  expect(JSON.parse(stdout).jobs).toEqual([
    expect.objectContaining({ id, name: "charge", state: "failed", attempt: 1, error: "no luck" }),
  ]);
  expect(stdout).not.toContain("secret");
  const table = await jobs("list", "--name", "report");
  expect(table.stdout).toMatch(/^id +name +state/);
  expect(table.stdout).not.toContain("charge");
  expect((await jobs("list", "--state", "done")).exitCode).toBe(2);
});

test("a failed job is retried, a job that is not running is deleted", async () => {
  const failed = await stored("charge", "failed");
  const running = await stored("charge", "running");
  expect(await jobs("retry", failed)).toMatchObject({ exitCode: 0 });
  const { rows } = await app.db.query("select state, attempt from service.jobs where id = $1", [
    failed,
  ]);
  expect(rows).toEqual([{ state: "waiting", attempt: 0 }]);
  expect((await jobs("retry", failed)).stderr).toContain("it has not failed");
  expect(await jobs("cancel", running)).toMatchObject({ exitCode: 1 });
  const cancelled = await jobs("cancel", failed, "--json");
  expect(JSON.parse(cancelled.stdout)).toEqual({ id: failed });
  for (const id of [failed, "x"]) {
    expect((await jobs("cancel", id)).stderr).toContain("There is no job");
  }
});

test("doctor names jobs whose name no longer exists", async () => {
  await stored("renamed", "waiting");
  await stored("report", "waiting");
  await app.db.query(
    `insert into service.job_names (name, seen_at)
     values ('renamed', now() - interval '1 day'), ('report', now())`,
  );
  const { stdout } = await app.run(["doctor", "--json"]);
  const found = JSON.parse(stdout).findings.filter(
    ({ check }: { readonly check: string }) => check === "jobs",
  );
  expect(found).toEqual([
    expect.objectContaining({
      ok: true,
      problem: expect.stringContaining('1 waiting job named "renamed"'),
    }),
  ]);
});

import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { freePort } from "../../bin/embedded/port.js";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { createDatabase, type TestDatabase } from "../support/database/database.js";
import { localTools } from "../support/processes/tools.js";
import { generatedApp, repository, service } from "./service.js";

const server = `
import { z } from "zod";
import { createApp } from "./generated/app.js";

const app = await createApp({
  jobs: {
    note: {
      input: z.object({ words: z.string() }),
      run: ({ words }, { db }) => db.query("insert into notes_of_jobs values ($1)", [words]),
    },
    hang: { input: z.object({}), run: () => new Promise(() => {}) },
  },
});
await app.listen();
`;

let root: string;
let database: TestDatabase;
let db: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  db = new pg.Client({ connectionString: database.url });
  await db.connect();
  await db.query("create table notes_of_jobs (words text)");
  root = await generatedApp();
  symlinkSync(join(repository, "node_modules/zod"), join(root, "node_modules/zod"));
  writeFileSync(join(root, "service.yaml"), "jobs: { concurrency: 0 }\n");
  writeFileSync(join(root, "server.ts"), server);
});
afterAll(async () => {
  await db.end();
  await database.drop();
  removeAppFolder(root);
});

/** Those that a test that fails leaves behind, and its next try would have beside its own. */
const started: { kill(signal: "SIGKILL"): boolean }[] = [];
afterEach(() => {
  for (const one of started.splice(0)) one.kill("SIGKILL");
});

/** So that nothing of this machine is used. */
const env = () => ({
  DATABASE_URL: database.url,
  SERVICE_SECRET: "a secret of the tests, long enough",
});

test("an app that is not built is refused", async () => {
  const outcome = await service(root, ["work"], { env: env() });
  expect(outcome).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("npm run build") });
  expect((await service(root, ["work", "--concurrency", "0"])).exitCode).toBe(2);
});

test("it runs jobs without a port, and a server runs them as well; both stop at their signal", async () => {
  writeFileSync(join(root, "server.ts"), server);
  await execa("tsc", [], { ...localTools, cwd: root });
  expect(await service(root, ["migrate"], { env: env() })).toMatchObject({ exitCode: 0 });
  await db.query("truncate notes_of_jobs, service.jobs");
  await db.query(
    `insert into service.jobs (id, name, input, tries, due_at, scheduled_at)
     values (gen_random_uuid(), 'note', '{"words":"done"}', 3, now(), now())`,
  );
  const metrics = await freePort("127.0.0.1");
  writeFileSync(
    join(root, "service.yaml"),
    `jobs: { concurrency: 0 }\nserver: { metrics: { port: ${metrics} } }\n`,
  );
  const program = join(repository, "dist/bundle/service.js");
  const working = execa(process.execPath, [program, "-C", root, "work"], {
    env: env(),
    reject: false,
  });
  started.push(working);
  const notes = async () => (await db.query("select words from notes_of_jobs")).rows;
  await expect.poll(notes).toEqual([{ words: "done" }]);
  const page = async () => (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
  await expect.poll(page).toContain('service_jobs_total{name="note",result="done"} 1');
  expect(await page()).toContain('service_queue_length{queue="jobs"} 0');
  working.kill("SIGTERM");
  const { exitCode, stdout } = await working;
  expect(exitCode).toBe(0);
  expect(stdout).toContain("is running jobs");
  expect(stdout).not.toContain("is listening");

  // The server itself runs jobs too; as it stops it gives back what does not end, and does not count that try.
  writeFileSync(join(root, "service.yaml"), "server: { port: 0, drain_seconds: 1 }\n");
  await db.query("truncate notes_of_jobs");
  await db.query(
    `insert into service.jobs (id, name, input, tries, due_at, scheduled_at)
     values (gen_random_uuid(), 'hang', '{}', 3, now(), now()),
       (gen_random_uuid(), 'note', '{"words":"served"}', 3, now(), now())`,
  );
  const serving = execa(process.execPath, ["dist/server.js"], {
    cwd: root,
    env: env(),
    reject: false,
  });
  started.push(serving);
  await expect.poll(notes).toEqual([{ words: "served" }]);
  const rows = async () => (await db.query("select name, state, attempt from service.jobs")).rows;
  await expect.poll(rows).toEqual([{ name: "hang", state: "running", attempt: 1 }]);
  serving.kill("SIGTERM");
  expect((await serving).exitCode).toBe(0);
  expect(await rows()).toEqual([{ name: "hang", state: "waiting", attempt: 0 }]);

  writeFileSync(
    join(root, "server.ts"),
    'import { createApp } from "./generated/app.js";\nawait (await createApp()).listen();\n',
  );
  await execa("tsc", [], { ...localTools, cwd: root });
  const outcome = await service(root, ["work"], { env: env() });
  expect(outcome).toMatchObject({ exitCode: 1 });
});

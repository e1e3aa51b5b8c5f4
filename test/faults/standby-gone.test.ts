import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Embedded, startEmbedded } from "../../bin/embedded/load.js";
import { service } from "../cli/service.js";
import { ask } from "../runtime/dashboard/support/ask.js";
import { newSession } from "../support/accounts/accounts.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { cancelCommits, withoutStandby } from "../support/database/standby.js";
import type { Client, Reply, Row } from "../support/http/client.js";
import { client } from "../support/http/client.js";
import { download, upload } from "../support/storage/files.js";
import { pdf } from "../support/storage/stored.js";

const descriptors = new Map([
  [
    "notes.yaml",
    `changes: { history: 30 }
owner: writerId
access: { read: [owner, clerk], write: [owner, clerk], history: [clerk] }
fields:
  writerId: { type: belongsTo, resource: users, required: true }
  title: { type: string, required: true }
  amount: { type: number, integer: true }
  status: { type: enum, values: [draft, live], default: draft }
  paper: { type: file, private: true }
  cover: { type: file }
`,
  ],
  ["labels.yaml", "fields: { name: { type: string, required: true, unique: true } }\n"],
]);

const settings = `auth: { check_breached_passwords: false, operators: [clerk], idle_hours: 8 }
server: { host: 127.0.0.1, mcp: true }
`;

const server = `import { z } from "zod";
import { dashboard } from "service-runtime/dashboard";
import { createApp } from "./generated/app.js";

export const app = await createApp({
  jobs: { rest: { input: z.strictObject({}), run: async () => {} } },
  schedule: { nightly: { cron: "0 3 * * *", job: "rest" } },
});
app.use(dashboard());
`;

const root = makeAppFolder();
let postgres: Embedded;
/** Past the app. */
let other: pg.Client;
let app: WrittenApp;
let clerk: Client;
/** Of the same person, for writes: a client opens so many connections, and reads need some. */
let writer: Client;
let token: string;
let note: Row;

beforeAll(async () => {
  postgres = await startEmbedded({ root, settings: { fsync: "off" } });
  app = await startWrittenApp({
    descriptors,
    settings,
    server,
    packages: ["zod"],
    databaseUrl: postgres.url,
  });
  other = new pg.Client({ connectionString: postgres.url });
  await other.connect();
  const person = await app.caller("clerk");
  token = await newSession(app.db, person.id);
  clerk = client(app.url, token);
  writer = person.client;
  const [paper, cover] = await Promise.all(
    ["notes/paper", "notes/cover"].map((field) => upload(clerk, field, "one.pdf", pdf)),
  );
  const values = {
    writerId: person.id,
    title: "One",
    amount: 7,
    paper: paper?.body.key,
    cover: cover?.body.key,
  };
  const made = await clerk.post("/notes", values);
  expect(made.status, made.text).toBe(201);
  note = made.body;
});
afterAll(async () => {
  await other.end();
  await app.close();
  await postgres.stop();
  removeAppFolder(root);
});

/** As if all sessions had not been used for some minutes. */
function age(): Promise<unknown> {
  return other.query(
    `with unwaited as (select set_config('synchronous_commit', 'local', true))
     update service.sessions set last_used_at = last_used_at - interval '5 minutes' from unwaited`,
  );
}

/** What the token's session was used by, and until when it is open; in seconds. */
async function lastUse(): Promise<{ readonly ago: number; readonly left: number }> {
  const { rows } = await other.query(
    `select extract(epoch from now() - last_used_at)::float8 as ago,
       extract(epoch from expires_at - now())::float8 as left
     from service.sessions
     where token_hash = sha256($1)`,
    [token],
  );
  return rows[0];
}

const reads = (): Readonly<Record<string, () => Promise<Pick<Reply, "status">>>> => {
  const get = (path: string) => () => clerk.get(path);
  const file = (field: string) => () => {
    const { url } = note[`${field}File`] as { readonly url: string };
    return download(app.url, url.split("?")[0] ?? "", { authorization: `Bearer ${token}` });
  };
  return {
    list: get("/notes"),
    search: get("/notes?q=one&sort=-title&include=writer"),
    "list by cursor": get("/notes?cursor="),
    record: get(`/notes/${note.id}`),
    statistics: get("/notes/_stats?field=status"),
    aggregate: get("/notes/_aggregate?by=status&sum=amount"),
    history: get(`/notes/${note.id}/_history`),
    "private file": file("paper"),
    "public file": file("cover"),
    me: get("/auth/me"),
    sessions: get("/auth/sessions"),
    passkeys: get("/auth/passkeys"),
    "service tokens": get("/auth/service-tokens"),
    resources: get("/_service/resources"),
    profiles: get("/_service/profiles"),
    openapi: get("/_service/openapi.json"),
    ping: get("/_service/ping"),
    ready: get("/_service/ready"),
    status: get("/_service/status"),
    accounts: get("/_service/accounts"),
    events: get("/_service/account-events"),
    tokens: get("/_service/service-tokens"),
    jobs: get("/_service/jobs"),
    hours: get("/_service/jobs/hours"),
    webhooks: get("/_service/webhooks"),
    views: get("/_service/views?resource=notes"),
    stream: async () => ({ status: await streamed() }),
    agent: () =>
      clerk.send("POST", "/_service/mcp", {
        text: JSON.stringify({
          ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
          params: { name: "list_records", arguments: { resource: "notes" } },
        }),
        headers: { accept: "application/json, text/event-stream" },
      }),
    "dashboard's cookie": () =>
      ask(app.url, "GET", "/api/notes", {
        headers: { cookie: `service_token=${token}`, accept: "application/json" },
      }),
  };
};

/** The status of a stream whose first event has arrived. */
async function streamed(): Promise<number> {
  const ended = new AbortController();
  const answer = await fetch(`${app.url}/api/_service/changes?watch=%7B%22notes%22:%7B%7D%7D`, {
    headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
    signal: ended.signal,
  });
  const text = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (answer.status === 200) expect((await text?.read())?.value).toMatch(/^event: ready|^:/);
  ended.abort();
  return answer.status;
}

/** The statuses of all reads, each by sessions that have not been used for minutes. */
async function statusesOfReads(): Promise<Readonly<Record<string, number>>> {
  const all: Record<string, number> = {};
  for (const [name, read] of Object.entries(reads())) {
    await age();
    all[name] = (await read()).status;
  }
  return all;
}

/** Every way to write; none of them does the same twice. */
let rounds = 0;
function sendWrites(): readonly Promise<Pick<Reply, "status">>[] {
  rounds += 1;
  const name = `Of round ${rounds}`;
  return [
    ...Array.from({ length: 40 }, (_, at) => writer.post("/labels", { name: `${name}, ${at}` })),
    writer.patch(`/notes/${note.id}`, { amount: rounds }),
    writer.put(`/notes/${note.id}`, { writerId: note.writerId, title: name }),
    writer.post("/_service/batch", {
      operations: [{ create: "labels", values: { name: `${name}, batch` } }],
    }),
    upload(writer, "notes/cover", "two.pdf", pdf),
    writer.patch("/auth/me", { name }),
  ];
}

/** What is answered to writes whose commits are cancelled as often as they wait for a standby. */
async function statusesOf(writes: readonly Promise<Pick<Reply, "status">>[]): Promise<number[]> {
  let isOver = false;
  const all = Promise.all(writes).finally(() => {
    isOver = true;
  });
  for (; !isOver; await sleep(20)) await other.query(cancelCommits);
  return (await all).map(({ status }) => status);
}

test("reads answer while commits wait for a missing standby, and writes are 503", async () => {
  const before = await statusesOfReads();
  expect(before).toEqual(Object.fromEntries(Object.keys(before).map((name) => [name, 200])));
  for (const { status, text } of (await Promise.all(sendWrites())) as Reply[]) {
    expect(status, text).toBeLessThan(300);
  }

  await withoutStandby(postgres.url, async () => {
    const writes = sendWrites();
    const waiting = "select from pg_stat_activity where wait_event = 'SyncRep'";
    await expect.poll(async () => (await other.query(waiting)).rowCount).toBeGreaterThan(4);
    expect(await statusesOfReads()).toEqual(before);

    await age();
    expect((await clerk.get("/auth/me")).status).toBe(200);
    // A sign-in of eight hours of disuse, which is stored all the same.
    const isMovedOn = async () => (await lastUse()).ago < 60 && (await lastUse()).left > 28_700;
    await expect.poll(isMovedOn).toBe(true);

    expect(new Set(await statusesOf(writes))).toEqual(new Set([503]));
    expect(await statusesOfReads()).toEqual(before);
  });

  const after = await Promise.all(sendWrites());
  expect(after.filter(({ status }) => status >= 300)).toEqual([]);
  expect(await statusesOfReads()).toEqual(before);
});

test("backups and exports finish while commits wait for a missing standby", async () => {
  const run = (...args: readonly string[]) =>
    service(app.root, args, { env: { DATABASE_URL: postgres.url } });
  // A change without a number, which the backup gives it.
  expect((await writer.patch(`/notes/${note.id}`, { amount: 900 })).status).toBe(200);
  const log =
    "select (select count(*) from service.changes)::int as numbered from service.changes_new";
  const [{ numbered } = { numbered: 0 }] = (await other.query(log)).rows;
  await withoutStandby(postgres.url, async () => {
    const saved = await run("backup", join(root, "notes.backup"), "--json");
    expect(saved.exitCode, saved.stderr).toBe(0);
    const { records, history } = JSON.parse(saved.stdout);
    expect(records.notes).toBe(1);
    expect(history).toBeGreaterThan(numbered);
    const { rows } = await other.query("select from service.remarks where name = 'backup'");
    expect(rows.length).toBe(1);
    for (const format of ["csv", "json"]) {
      const chosen = ["--where", '{"amount":900}', "--format", format];
      const exported = await run("export", "notes", ...chosen);
      expect(exported).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining(`${note.id}`),
      });
    }
  });
});

import { createHash, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../bin/embedded/port.js";
import { processorTime, residentMemory } from "../bench/servers.js";
import { type StreamClients, startClients } from "../support/changes/clients.js";
import { type ChangesHost, openChangesHost } from "../support/changes/host.js";
import { client } from "../support/http/client.js";

/** Streams of one process. */
const streams = Number(process.env.STREAMS ?? 5_000);

const fields = `fields:
  sentAt: { type: number, required: true }
  name: { type: string }
`;

let host: ChangesHost;
let port: string;
let server: Awaited<ReturnType<ChangesHost["serve"]>>;
let clients: StreamClients;
let accounts: readonly { readonly id: string; readonly token: string }[];
let direct: pg.Client;

beforeAll(async () => {
  host = await openChangesHost({
    descriptors: new Map([
      ["ticks.yaml", `changes: true\n${fields}`],
      ["plains.yaml", fields],
      [
        "notes.yaml",
        `changes: true
owner: userId
access: { read: [owner], write: [admin] }
${fields}  userId: { type: belongsTo, resource: users, required: true }
`,
      ],
    ]),
    settings: `auth: { check_breached_passwords: false }
server: { host: 127.0.0.1, drain_seconds: 2 }
changes: { streams: ${streams} }
`,
  });
  accounts = await makeAccounts(2 * streams);
  port = String(await freePort("127.0.0.1"));
  server = await host.serve(0, { PORT: port });
  clients = await startClients(host.root, server.url);
  direct = new pg.Client({ connectionString: host.databaseUrl });
  await direct.connect();
}, 120_000);
afterAll(async () => {
  await clients.close();
  await direct.end();
  await host.close();
});

async function makeAccounts(count: number) {
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString("base64url"));
  const hashes = tokens.map((token) => createHash("sha256").update(token).digest("hex"));
  const rows = await host.db.query<{ id: string }>(
    `with _hash as (select hash, n from unnest($1::text[]) with ordinality as _hash (hash, n)),
       _user as (
         insert into service.users (id, name, email, email_verified_at)
         select gen_random_uuid(), 'Reader', 'reader-' || n || '@example.com', now()
         from generate_series(1, $2::int) n
         returning id, email
       ),
       _session as (
         insert into service.sessions (id, user_id, token_hash, proofs, last_used_at, expires_at)
         select gen_random_uuid(), _user.id, decode(hash, 'hex'), '{password}', now(), now() + interval '1 day'
         from _user
         join _hash on email = 'reader-' || n || '@example.com'
       )
     select id from _user order by substring(email from '\\d+')::int`,
    [hashes, count],
  );
  return rows.map(({ id }, at) => ({ id, token: tokens[at] ?? "" }));
}

/** Milliseconds of a processor of the server, of PostgreSQL's processes that work for this database, and of the clients. */
async function used() {
  const { rows } = await direct.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  const database = rows.reduce((sum, { pid }) => sum + processorTime(pid), 0);
  const ofClients = processorTime(clients.pid);
  return { server: processorTime(server.process.pid), database, clients: ofClients };
}

/** Shares of a processor while the work runs. */
async function shares(work: () => Promise<unknown>) {
  const before = await used();
  const begin = performance.now();
  await work();
  const after = await used();
  const ms = performance.now() - begin;
  return {
    server: (after.server - before.server) / ms,
    database: (after.database - before.database) / ms,
    clients: (after.clients - before.clients) / ms,
  };
}

const write = (table = "ticks") =>
  direct.query(`insert into ${table} (sent_at) values ($1)`, [Date.now()]);

/** Writes at this pace, whatever a write takes. */
async function steadily(perSecond: number, seconds: number, work: () => Promise<unknown>) {
  const begin = performance.now();
  for (let turn = 0; turn < perSecond * seconds; turn += 1) {
    await sleep(Math.max(0, begin + (turn * 1_000) / perSecond - performance.now()));
    await work();
  }
}

const round = (value: unknown) =>
  JSON.stringify(value, (_, part) =>
    typeof part === "number" ? Math.round(part * 1000) / 1000 : part,
  );

const tokens = (from: number, to: number) => accounts.slice(from, to).map(({ token }) => token);

test("the delay from a write to its event", async () => {
  // Every tenth is timed.
  await clients.open(tokens(0, 10), { ticks: true });
  const byServer = client(server.url, accounts[0]?.token ?? "");
  const measure = async (name: string, work: () => Promise<unknown>) => {
    await steadily(20, 2, work);
    await sleep(500);
    await clients.reset();
    await steadily(20, 15, work);
    await sleep(1_000);
    const measured = await clients.measured();
    console.info(name, round(measured));
    return measured;
  };
  const own = await measure("by the same process", () =>
    byServer.post("/ticks", { sentAt: Date.now() }),
  );
  const other = await measure("by another process", () => write());
  await host.holdElsewhere();
  const held = await measure("by another process, a transaction open elsewhere", () => write());
  for (const { median, p99, events } of [own, other, held]) {
    expect(events).toBe(3_000);
    expect(p99).toBeLessThan(200);
    expect(median).toBeLessThan(80);
  }
}, 90_000);

test("thousands of streams are idle", async () => {
  const before = residentMemory(server.process.pid);
  const { open: already } = await clients.measured();
  const opened = await clients.open(tokens(already, streams), { ticks: true });
  await sleep(3_000);
  const memory = residentMemory(server.process.pid);
  const idle = await shares(() => sleep(20_000));
  console.info("idle", round({ ...opened, before, memory, idle }));
  expect(opened.open).toBe(streams);
  expect(memory).toBeLessThan(250);
  expect(idle.server).toBeLessThan(0.05);
}, 90_000);

test("20 changes a second are sent to all streams", async () => {
  await clients.reset();
  const load = await shares(() => steadily(20, 15, () => write()));
  await sleep(3_000);
  const measured = await clients.measured();
  console.info("to all", round({ ...measured, load, memory: residentMemory(server.process.pid) }));
  expect(measured.open).toBe(streams);
  expect(measured.events).toBe(streams * 300);
  expect(measured.p99).toBeLessThan(1_000);
}, 60_000);

test("the same number of further streams is refused, and no other client is affected", async () => {
  const ping = async () => {
    const begin = performance.now();
    await fetch(`${server.url}/api/_service/ping`);
    return performance.now() - begin;
  };
  const pings = async (until: () => boolean) => {
    const times: number[] = [];
    while (!until()) {
      times.push(await ping());
      await sleep(20);
    }
    return times.toSorted((a, b) => a - b);
  };
  const begin = performance.now();
  const idle = await pings(() => performance.now() > begin + 3_000);
  let isOver = false;
  const opening = clients.open(tokens(streams, 2 * streams), { ticks: true }).then((opened) => {
    isOver = true;
    return opened;
  });
  const busy = await pings(() => isOver);
  const opened = await opening;
  const middle = (times: readonly number[]) => times[times.length >> 1] ?? 0;
  const ninth = (times: readonly number[]) => times[Math.floor(times.length * 0.9)] ?? 0;
  console.info(
    "turned away",
    round({ ...opened, idle: [middle(idle), ninth(idle)], busy: [middle(busy), ninth(busy)] }),
  );
  expect(opened.refused).toEqual({ 503: streams });
  expect(middle(busy)).toBeLessThan(10 * middle(idle) + 5);
}, 60_000);

test("all clients reconnect after a restart, and none has to list again", async () => {
  await clients.reset();
  server.process.kill("SIGKILL");
  await server.process;
  const begin = performance.now();
  server = await host.serve(0, { PORT: port });
  const listening = performance.now();
  await expect
    .poll(async () => (await clients.measured()).open, { timeout: 60_000, interval: 250 })
    .toBe(streams);
  const ms = performance.now() - listening;
  const spent = await used();
  await write();
  await expect.poll(async () => (await clients.measured()).events).toBe(streams);
  const { resets } = await clients.measured();
  console.info("returned", round({ ms, start: listening - begin, resets, spent }));
  expect(resets).toBe(0);
  expect(ms).toBeLessThan(10_000);
}, 90_000);

test("20 changes a second reach their owners among thousands", async () => {
  server.process.kill("SIGKILL");
  await server.process;
  await clients.close();
  server = await host.serve(0, { PORT: port });
  clients = await startClients(host.root, server.url);
  const opened = await clients.open(tokens(0, streams), { notes: true });
  expect(opened.open).toBe(streams);
  const note = () => {
    const owner = accounts[Math.floor(Math.random() * streams)]?.id;
    return direct.query("insert into notes (sent_at, user_id) values ($1, $2)", [
      Date.now(),
      owner,
    ]);
  };
  await steadily(20, 2, note);
  await sleep(1_000);
  await clients.reset();
  const load = await shares(() => steadily(20, 15, note));
  await sleep(2_000);
  const measured = await clients.measured();
  console.info(
    "to owners",
    round({ ...measured, load, memory: residentMemory(server.process.pid) }),
  );
  expect(measured.events).toBe(300);
  expect(measured.p99).toBeLessThan(1_000);
}, 90_000);

test("readers that missed ten thousand changes each catch up", async () => {
  await clients.close();
  clients = await startClients(host.root, server.url);
  const before = await used();
  const byServer = client(server.url, accounts[0]?.token ?? "");
  const { headers } = await byServer.get("/ticks?position=true&perPage=1");
  const position = `${headers["changes-position"]}`;
  await direct.query(
    "insert into ticks (sent_at, name) select 1, 'missed ' || n from generate_series(1, 10000) n",
  );
  const begin = performance.now();
  // Each has a watch of its own, so that nothing is shared.
  const counts = await Promise.all(
    Array.from({ length: 10 }, async (_, at) => {
      const where = { sentAt: { lt: 2 + at } };
      const watch = encodeURIComponent(JSON.stringify({ ticks: { where } }));
      const answer = await fetch(
        `${server.url}/api/_service/changes?watch=${watch}&after=${position}`,
        { headers: { authorization: `Bearer ${accounts[at]?.token}` } },
      );
      let count = 0;
      for await (const piece of answer.body ?? []) {
        count += Buffer.from(piece).toString("latin1").split("event: change").length - 1;
        if (count >= 10_000) break;
      }
      return count;
    }),
  );
  const seconds = (performance.now() - begin) / 1_000;
  const all = counts.reduce((sum, one) => sum + one, 0);
  console.info(
    "caught up",
    round({ all, seconds, perSecond: all / seconds, before, after: await used() }),
  );
  expect(all).toBe(100_000);
}, 60_000);

test("writes with and without changes", async () => {
  const admin = await host.account("admin");
  const byServer = client(server.url, admin.token);
  const costs = new Map<string, number[]>();
  const spend = async (name: string, work: () => Promise<unknown>) => {
    const before = await used();
    await work();
    const after = await used();
    const cost = after.server + after.database - before.server - before.database;
    costs.set(name, [...(costs.get(name) ?? []), cost]);
  };
  const each = 1_500;
  for (let turn = 0; turn < 5; turn += 1) {
    for (const table of turn % 2 === 0 ? ["ticks", "plains"] : ["plains", "ticks"]) {
      const ids: string[] = [];
      const together = (work: (at: number) => Promise<unknown>) =>
        Promise.all(
          Array.from({ length: 8 }, async (_, part) => {
            for (let at = part; at < each; at += 8) await work(at);
          }),
        );
      await spend(`POST ${table}`, () =>
        together(async (at) => {
          const { body } = await byServer.post(`/${table}`, { sentAt: at, name: "new" });
          ids.push(body.id);
        }),
      );
      await spend(`PATCH ${table}`, () =>
        together((at) => byServer.patch(`/${table}/${ids[at % ids.length]}`, { sentAt: at + 1 })),
      );
      const file = join(host.root, "rows.ndjson");
      const rows = Array.from({ length: 20_000 }, (_, at) =>
        JSON.stringify({ sentAt: at, name: "in" }),
      );
      writeFileSync(file, rows.join("\n"));
      const before = performance.now();
      await execa(
        process.execPath,
        [join(import.meta.dirname, "../../dist/bundle/service.js"), "import", table, file],
        {
          cwd: host.root,
          env: {
            DATABASE_URL: host.databaseUrl,
            SERVICE_SECRET: "a secret of the tests, long enough",
          },
        },
      );
      const name = `import ${table}`;
      costs.set(name, [...(costs.get(name) ?? []), performance.now() - before]);
    }
  }
  const middle = (name: string) => (costs.get(name) ?? []).toSorted((a, b) => a - b)[2] ?? 0;
  const ratios = Object.fromEntries(
    ["POST", "PATCH", "import"].map((way) => [
      way,
      { ratio: middle(`${way} plains`) / middle(`${way} ticks`), ms: middle(`${way} ticks`) },
    ]),
  );
  console.info("writes with changes", round(ratios));
  expect(ratios.POST?.ratio).toBeGreaterThan(0.85);
  expect(ratios.PATCH?.ratio).toBeGreaterThan(0.85);
  expect(ratios.import?.ratio).toBeGreaterThan(0.8);
}, 180_000);

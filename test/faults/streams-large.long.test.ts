import { readFileSync } from "node:fs";
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type ChangesHost, openChangesHost } from "../support/changes/host.js";
import { client } from "../support/http/client.js";
import { openEvents } from "../support/http/event-stream.js";

const notes = `
changes: true
owner: userId
access: { read: owner, write: owner }
fields:
  userId: { type: belongsTo, resource: users, required: true }
  turn: { type: number, integer: true, default: 0, required: true }
  part: { type: number, integer: true, default: 0, required: true }
  text: { type: text }
`;

/** Records of 60 kB, and as many streams as an account may have: 360 MB in all. */
const records = 300;
const streams = 20;
const megabyte = 1024 * 1024;
/** The server's memory may grow by these megabytes. */
const most = 200;

let host: ChangesHost;
let url: string;
let pid: number;
let owner: { readonly id: string; readonly token: string };

beforeAll(async () => {
  host = await openChangesHost({
    descriptors: new Map([["notes.yaml", notes]]),
    settings: "auth: { check_breached_passwords: false }\nserver: { host: 127.0.0.1 }\n",
  });
  owner = await host.account(null);
  await inParts((from, to) =>
    host.db.query(
      "insert into notes (user_id, part, text) select $1, n, repeat('x', 60000) from generate_series($2::int, $3) n",
      [owner.id, from, to],
    ),
  );
  await host.db.query("select service.sequence_changes($1)", [records]);
}, 120_000);
beforeEach(async () => {
  const served = await host.serve(0);
  url = served.url;
  pid = served.process.pid ?? 0;
});
afterAll(() => host.close());

const memory = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;

/** The most that the server's memory grows by until the work is done. */
async function growth(work: () => Promise<void>): Promise<number> {
  const before = memory();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, memory());
  }, 20);
  await work().finally(() => clearInterval(timer));
  console.info(`${Math.round(before / megabyte)} MB, ${Math.round(peak / megabyte)} MB at most`);
  return (peak - before) / megabyte;
}

/** The address of a stream that shares no statement with others. */
const pathOf = (number: number) =>
  `/_service/changes?watch=${encodeURIComponent(JSON.stringify({ notes: { where: { turn: { gte: -number } } } }))}`;

/** Small enough for a slow machine to store each within the time limit of a statement. */
async function inParts(store: (from: number, to: number) => Promise<unknown>): Promise<void> {
  const each = 50;
  for (let from = 1; from <= records; from += each) await store(from, from + each - 1);
}

const touchAll = () =>
  inParts((from, to) =>
    host.db.query("update notes set turn = turn + 1 where part between $1 and $2", [from, to]),
  );

async function position(): Promise<string> {
  const { headers } = await client(url, owner.token).list("/notes?perPage=1&position=true");
  return `${headers["changes-position"]}`;
}

interface Counted {
  changes: number;
  close(): void;
}

/** A stream of which only the changes are counted. */
function count(path: string): Promise<Counted> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${owner.token}` };
    const asked = request(`${url}/api${path}`, { headers }, (response) => {
      const counted: Counted = { changes: 0, close: () => asked.destroy() };
      response.setEncoding("latin1");
      let end = "";
      response.on("data", (piece: string) => {
        const text = end + piece;
        counted.changes += text.split("\nevent: change").length - 1;
        end = text.slice(-"event: change".length);
        if (text.includes("event: ready")) resolve(counted);
      });
    });
    asked.once("error", reject).end();
  });
}

test("changes that an account's streams have missed are held in small parts, even if no client reads them", async () => {
  const after = await position();
  await touchAll();
  const unread = await growth(async () => {
    const opened = await Promise.all(
      Array.from({ length: streams }, async (_, number) => {
        const stream = await openEvents(url, owner.token, `${pathOf(number)}&after=${after}`);
        stream.pause();
        return stream;
      }),
    );
    expect(opened.map(({ status }) => status)).toEqual(opened.map(() => 200));
    await sleep(5_000);
    for (const stream of opened) stream.close();
  });
  expect(unread).toBeLessThan(most);
  const read = await count(`${pathOf(0)}&after=${after}`);
  await expect.poll(() => read.changes, { timeout: 270_000 }).toBe(records);
  read.close();
}, 400_000);

test("each stream gets large changes at its own pace, and they are held in small parts", async () => {
  const read = await growth(async () => {
    const opened = await Promise.all(
      Array.from({ length: streams }, (_, number) => count(pathOf(number))),
    );
    await touchAll();
    await expect
      .poll(() => opened.map(({ changes }) => changes), { timeout: 270_000, interval: 200 })
      .toEqual(opened.map(() => records));
    for (const one of opened) one.close();
  });
  expect(read).toBeLessThan(most);
}, 400_000);

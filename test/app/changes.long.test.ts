import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSession } from "../support/accounts/accounts.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { emptyDatabase } from "../support/database/database.js";
import type { Client, Reply, Row } from "../support/http/client.js";
import { type EventStream, openEvents } from "../support/http/event-stream.js";

/** Milliseconds of writes. */
const writingMs = Number(process.env.CHANGES_MS ?? 60_000);

const things = `
changes: true
fields:
  name: { type: string, required: true }
  status: { type: enum, values: [draft, live], default: draft, required: true }
  parentId: { type: belongsTo, resource: parents, required: true, onDelete: cascade }
`;

let app: WrittenApp;
let writers: readonly Client[];
let token: string;

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      ["things.yaml", things],
      ["parents.yaml", "fields: { name: { type: string } }\n"],
    ]),
  });
  const callers = await Promise.all(Array.from({ length: 8 }, () => app.caller(null)));
  writers = callers.map(({ client }) => client);
  token = await newSession(app.db, callers[0]?.id ?? "");
});
afterAll(() => app.close());

/** A reader that keeps a copy, and now and then loses its connection. */
interface Reader {
  readonly copy: ReadonlyMap<string, unknown>;
  resets(): number;
  end(): Promise<void>;
}

function newReader(where: object, cutMs: number): Reader {
  const copy = new Map<string, unknown>();
  let resets = 0;
  let position = "";
  let isOver = false;
  let stream: EventStream | null = null;

  async function run(): Promise<void> {
    const watch = encodeURIComponent(JSON.stringify({ things: { where } }));
    while (!isOver) {
      const headers: Record<string, string> = position === "" ? {} : { "last-event-id": position };
      const opened = await openEvents(app.url, token, `/_service/changes?watch=${watch}`, headers);
      stream = opened;
      const cut = setTimeout(opened.close, cutMs);
      await readAll(opened).catch(() => {});
      clearTimeout(cut);
    }
  }

  async function readAll(opened: EventStream): Promise<never> {
    for (;;) {
      const { event, id, data } = await opened.next();
      if (event === "reset") resets += 1;
      if (event === "change" && data.op === "delete") copy.delete(data.id);
      else if (event === "change") copy.set(data.id, data.record);
      if (id !== null) position = id;
    }
  }

  const done = run();
  return {
    copy,
    resets: () => resets,
    async end() {
      isOver = true;
      stream?.close();
      await done;
    },
  };
}

interface CursorPage {
  readonly data: readonly Row[];
  readonly meta: { readonly next: string | null };
}

async function whole(where: object): Promise<ReadonlyMap<string, unknown>> {
  const all: Row[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { body, status }: Reply<CursorPage> = await (writers[0] as Client).post<CursorPage>(
      "/things/_query",
      { where, perPage: 100, cursor },
    );
    expect(status).toBe(200);
    all.push(...body.data);
    cursor = body.meta.next;
  }
  return new Map(all.map((row) => [row.id, row]));
}

test("every reader's copy is the list after random writes of many, however often readers are cut off", {
  timeout: writingMs + 120_000,
}, async () => {
  const elsewhere = await emptyDatabase();
  const other = new pg.Client({ connectionString: elsewhere.url });
  await other.connect();
  await other.query("create table t (a int); begin; insert into t values (1)");
  const conditions = [{}, { status: "live" }, { name: { contains: "7" } }];
  const readers = conditions.flatMap((where, at) => [
    newReader(where, 700 + 400 * at),
    newReader(where, 2_300 + 900 * at),
  ]);
  const until = Date.now() + writingMs;
  const ids: string[] = [];
  const some = () => ids[Math.floor(Math.random() * ids.length)] ?? "";
  const parents: string[] = [];
  const parent = async () => {
    const { body } = await (writers[0] as Client).post<Row>("/parents", {});
    parents.push(body.id);
  };
  await parent();
  await parent();
  const name = () => `name ${Math.floor(Math.random() * 100)}`;
  const status = () => (Math.random() < 0.5 ? "live" : "draft");
  const write = async (client: Client) => {
    const dice = Math.random();
    const parentId = parents[Math.floor(Math.random() * parents.length)];
    if (ids.length < 20 || dice < 0.25) {
      const { body, status: code } = await client.post<Row>("/things", {
        name: name(),
        status: status(),
        parentId,
      });
      if (code === 201) ids.push(body.id);
    } else if (dice < 0.7) await client.patch(`/things/${some()}`, { status: status() });
    else if (dice < 0.8) await client.patch(`/things/${some()}`, { name: name() });
    else if (dice < 0.88) await client.delete(`/things/${some()}`);
    else if (dice < 0.96) {
      await app.db
        .query("update things set name = $2, status = $3 where id = any($1)", [
          [some(), some()].sort(),
          name(),
          status(),
        ])
        .catch(() => {});
    } else if (dice < 0.98) await parent();
    else if (parents.length > 2) {
      const [gone] = parents.splice(0, 1);
      await client.delete(`/parents/${gone}`);
    }
  };
  await Promise.all(
    writers.map(async (client) => {
      while (Date.now() < until) await write(client);
    }),
  );
  for (const [at, where] of conditions.entries()) {
    const expected = await whole(where);
    for (const reader of readers.slice(at * 2, at * 2 + 2)) {
      await expect
        .poll(() => Object.fromEntries([...reader.copy].sort()), { timeout: 20_000 })
        .toEqual(Object.fromEntries([...expected].sort()));
    }
  }
  expect(readers.map(({ resets }) => resets())).toEqual(readers.map(() => 0));
  await Promise.all(readers.map((reader) => reader.end()));
  await other.end();
  await elsewhere.drop();
});

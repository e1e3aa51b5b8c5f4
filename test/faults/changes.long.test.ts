import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Receiver, startReceiver } from "../runtime/webhooks/support/receiver.js";
import { type Copy, keepCopy } from "../support/changes/copy.js";
import { type ChangesHost, openChangesHost } from "../support/changes/host.js";
import { type Client, client, type Reply, type Row } from "../support/http/client.js";
import { openResettingProxy, type ResettingProxy } from "../support/http/resetting-proxy.js";

/** Milliseconds of writes: ten minutes with `CHANGES_MS=600000`. */
const writingMs = Number(process.env.CHANGES_MS ?? 40_000);
const things = `
changes: { history: 5 }
owner: ownerId
access: { read: [admin, owner], write: [admin] }
fields:
  name: { type: string, required: true }
  status: { type: enum, values: [draft, live], default: draft, required: true }
  turn: { type: number, integer: true, default: 0 }
  ownerId: { type: belongsTo, resource: users, required: true }
  parentId: { type: belongsTo, resource: parents, required: true, onDelete: cascade }
`;

const parents = `
changes: true
fields: { name: { type: string, required: true } }
`;

/** Counts the changes of each record. */
const counting = `
  create function count_turn() returns trigger language plpgsql as $$
  begin
    new.turn := old.turn + 1;
    return new;
  end
  $$`;
const counted =
  "create trigger count_turn before update on things for each row execute function count_turn()";

let host: ChangesHost;
let network: ResettingProxy;
let receiver: Receiver;
beforeAll(async () => {
  host = await openChangesHost({
    descriptors: new Map([
      ["things.yaml", things],
      ["parents.yaml", parents],
    ]),
    settings: `auth: { check_breached_passwords: false, operators: [admin] }
server: { host: 127.0.0.1, drain_seconds: 2 }
webhooks: { allow: [127.0.0.1] }
`,
  });
  await host.db.query(counting);
  await host.db.query(counted);
  network = await openResettingProxy();
  receiver = await startReceiver();
}, 120_000);
afterAll(async () => {
  await network.close();
  await host.close();
  await receiver.close();
});

interface CursorPage {
  readonly data: readonly Row[];
  readonly meta: { readonly next: string | null };
}

/** The whole list, by pages. */
async function whole(
  asked: Client,
  resource: string,
  where: object,
): Promise<ReadonlyMap<string, unknown>> {
  const all: Row[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { body, status }: Reply<CursorPage> = await asked.post<CursorPage>(
      `/${resource}/_query`,
      { where, perPage: 100, cursor },
    );
    // A server whose database was killed a moment ago says when to ask again.
    if (status === 503) {
      await sleep(1_000);
      continue;
    }
    expect(status).toBe(200);
    all.push(...body.data);
    cursor = body.meta.next;
  }
  return new Map(all.map((row) => [row.id, row]));
}

const sorted = (records: ReadonlyMap<string, unknown>) => Object.fromEntries([...records].sort());
const one = <Item>(list: readonly Item[]) => list[Math.floor(Math.random() * list.length)];

test(
  "every reader's copy equals the list, though servers, PostgreSQL and connections are killed under eight writers",
  async () => {
    const admin = await host.account("admin");
    const owners = await Promise.all([1, 2, 3].map(() => host.account(null)));
    const alive = [await host.serve(0), await host.serve(1)];
    const useAll = () => network.use(alive.map(({ url }) => url));
    useAll();
    await host.holdElsewhere();
    const byAdmin = client(network.url, admin.token);
    const hook = { url: receiver.url, events: ["parents.*"] };
    expect((await byAdmin.post("/_service/webhooks", hook)).status).toBe(201);

    const readings = [
      ...[{}, { status: "live" }, { name: { contains: "7" } }].map((where) => ({
        where,
        token: admin.token,
      })),
      ...owners.map(({ token }) => ({ where: {}, token })),
    ];
    const copies = readings.map(({ where, token }): readonly [Copy, Copy] => {
      const options = { url: network.url, token, resource: "things", where };
      return [keepCopy({ ...options, cutMs: 3_000 }), keepCopy({ ...options, cutMs: 60_000 })];
    });
    // A reader that never connected before the first change would miss it rightly.
    await expect.poll(() => copies.flat().every((copy) => copy.connections() > 0)).toBe(true);
    await sleep(500);

    const until = Date.now() + writingMs;
    const [ids, families]: [string[], string[]] = [[], []];
    const name = () => `name ${Math.floor(Math.random() * 100)}`;
    const status = () => one(["live", "draft"]);
    const ownerId = () => one(owners)?.id;
    const values = () => ({
      ...{ name: name(), status: status(), ownerId: ownerId() },
      parentId: one(families),
    });
    const note = (list: string[], reply: Reply<Row>) => {
      if (reply.status === 201) list.push(reply.body.id);
    };
    const write = async (writer: Client): Promise<unknown> => {
      const dice = Math.random();
      if (families.length < 3 || dice < 0.01) {
        return note(families, await writer.post<Row>("/parents", { name: name() }));
      }
      if (ids.length < 20 || dice < 0.22) {
        return note(ids, await writer.post<Row>("/things", values()));
      }
      if (dice < 0.65) return writer.patch(`/things/${one(ids)}`, { status: status() });
      if (dice < 0.75) return writer.patch(`/things/${one(ids)}`, { ownerId: ownerId() });
      if (dice < 0.83) return writer.delete(`/things/${one(ids)}`);
      if (dice < 0.9) {
        const operations = [
          { create: "things", values: values() },
          { update: "things", id: one(ids), values: { name: name() } },
          { delete: "things", id: one(ids) },
        ];
        return writer.post("/_service/batch", { operations, atomic: false });
      }
      if (dice < 0.95) {
        return host.db.query("update things set name = $2, owner_id = $3 where id = any($1)", [
          [one(ids), one(ids)].sort(),
          name(),
          ownerId(),
        ]);
      }
      if (dice < 0.99) return writer.patch(`/parents/${one(families)}`, { name: name() });
      return writer.delete(`/parents/${families.shift()}`);
    };
    let [written, failed] = [0, 0];
    const writers = Array.from({ length: 8 }, async () => {
      const writer = client(network.url, admin.token);
      while (Date.now() < until) {
        await write(writer).then(
          () => {
            written += 1;
          },
          async () => {
            failed += 1;
            await sleep(20);
          },
        );
      }
    });

    const kills = { servers: 0, databases: 0 };
    const killServer = async (number: 0 | 1) => {
      alive[number]?.process.kill("SIGKILL");
      network.use(alive.flatMap(({ url }, at) => (at === number ? [] : [url])));
      alive[number] = await host.serve(number);
      useAll();
      kills.servers += 1;
    };
    const killDatabase = async () => {
      await host.killDatabase();
      await host.holdElsewhere();
      kills.databases += 1;
    };
    const resets = setInterval(() => network.reset(0.1), 700);
    const faults = [() => killServer(0), killDatabase, () => killServer(1)];
    for (let turn = 0; Date.now() < until - 8_000; turn += 1) {
      await sleep(4_000);
      await faults[turn % faults.length]?.();
    }
    await Promise.all(writers);
    clearInterval(resets);

    const changes = await host.db.query<{ count: number }>(
      "select n::int as count from service.change_counter",
    );
    console.info(JSON.stringify({ written, failed, ...kills, changes: changes[0]?.count }));
    expect(kills.servers).toBeGreaterThan(1);
    expect(kills.databases).toBeGreaterThan(0);
    for (const [at, { where, token }] of readings.entries()) {
      const expected = await whole(client(network.url, token), "things", where);
      for (const copy of copies[at] ?? []) {
        await expect
          .poll(() => sorted(copy.records), { timeout: 20_000 })
          .toEqual(sorted(expected));
      }
    }
    for (const copy of copies.flat()) {
      expect([copy.resets, copy.disorders]).toEqual([[], []]);
      expect(copy.connections()).toBeGreaterThan(2);
    }

    // The history has each change once.
    const wrong = await host.db.query(
      `select id, turn
     from things
     where turn + 1 <> (
       select count(*) from service.changes where resource = 'things' and changes.id = things.id
     )`,
    );
    expect(wrong).toEqual([]);
    const behindPooler = client(alive[1]?.url ?? "", admin.token);
    for (const [id, record] of [...(copies[0]?.[0].records ?? [])].slice(0, 5)) {
      const { body } = await behindPooler.get<{
        data: { changes: { field: string; to: unknown }[] }[];
      }>(`/things/${id}/_history?perPage=1`);
      const [newest] = body.data;
      for (const { field, to } of newest?.changes ?? [])
        expect(record).toMatchObject({ [field]: to });
    }

    // And so have webhooks, in the order of each record's changes. They get nothing about a write that changes no field.
    const untimed = (records: ReadonlyMap<string, unknown>) =>
      Object.entries(sorted(records)).map(([id, record]) => [
        id,
        { ...Object(record), updatedAt: null },
      ]);
    const known = await whole(byAdmin, "parents", {});
    const told = () => {
      const records = new Map<string, unknown>();
      for (const { body } of receiver.received) {
        const { type, data } = JSON.parse(body);
        if (type === "parents.deleted") records.delete(data.id);
        else records.set(data.id, data.record);
      }
      return untimed(records);
    };
    await expect.poll(told, { timeout: 40_000 }).toEqual(untimed(known));
    await Promise.all(copies.flat().map((copy) => copy.end()));
  },
  writingMs + 240_000,
);

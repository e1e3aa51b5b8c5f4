import { randomUUID } from "node:crypto";
import { Router } from "express";
import type { HookContext } from "service-runtime/own-code";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { client } from "../support/http/client.js";
import type { RuledCaller } from "../support/rights/request.js";

interface Kit {
  readonly orders: Writer;
  readonly lines: Writer;
  readonly tags: Writer;
}
interface Writer {
  create(values: object): Promise<unknown>;
  update(id: string, changes: object): Promise<unknown>;
}
type Context = HookContext<Kit>;

let app: WrittenApp;
let admin: RuledCaller;
let other: RuledCaller;
/** What the hooks and policies of orders do besides. */
let onUpdate: (context: Context) => Promise<unknown> = async () => {};
let onJudge: (context: Context) => Promise<unknown> = async () => {};
let onRoute: (resources: Kit) => Promise<unknown> = async () => {};
let onJob: (context: Pick<Context, "resources" | "db">) => Promise<unknown> = async () => {};

const logged = "changes: { history: 30 }\naccess: { write: signed-in }\n";
const text = "text: { type: string }";
const linkTo = (resource: string, more = "") => `{ type: belongsTo, resource: ${resource}${more} }`;
const cascading = ", required: true, onDelete: cascade";

beforeAll(async () => {
  const routes = Router();
  routes.post("/own", async (_request, response) => {
    await onRoute(response.locals.resources as unknown as Kit);
    response.status(204).end();
  });
  const run = (_: unknown, context: Context) => onJob(context);
  app = await startWrittenApp({
    descriptors: new Map([
      ["orders.yaml", `${logged}fields: { ${text}, code: { type: string, unique: true } }\n`],
      ["lines.yaml", `${logged}fields: { ${text}, orderId: ${linkTo("orders", cascading)} }\n`],
      ["tags.yaml", `${logged}fields: { ${text}, orderId: ${linkTo("orders")} }\n`],
      ["boxes.yaml", `access: { write: signed-in }\nfields: { ${text} }\n`],
      ["parts.yaml", `${logged}fields: { ${text}, boxId: ${linkTo("boxes")} }\n`],
      ["memos.yaml", `${logged}fields: { ${text}, userId: ${linkTo("users")} }\n`],
    ]),
    settings: `auth: { check_breached_passwords: false, operators: [admin], profiles: [admin] }
server: { host: 127.0.0.1, mcp: true }
`,
    options: {
      routes,
      hooks: {
        orders: {
          beforeUpdate: async (_: unknown, __: unknown, context: Context) => {
            await onUpdate(context);
          },
        },
      },
      policies: {
        orders: {
          update: async (_: unknown, __: unknown, ___: unknown, context: Context) => {
            await onJudge(context);
            return true;
          },
        },
      },
      jobs: {
        touch: { input: z.object({}), tries: 1, run },
        "touch.whole": { input: z.object({}), tries: 1, transaction: true, run },
      },
    } as never,
  });
  admin = await app.caller("admin");
  other = await app.caller(null);
});
afterAll(() => app.close());

interface Entry {
  readonly op: string;
  readonly by: { readonly id: string; readonly name: string } | null;
  readonly token?: string;
  readonly job?: string;
}

async function made(resource: string, values: object, by = admin) {
  const reply = await by.client.post(`/${resource}`, values);
  expect(reply.status, reply.text).toBe(201);
  return reply.body.id;
}

async function entries(resource: string, id: string, by = admin): Promise<readonly Entry[]> {
  const reply = await by.client.get<{ data: readonly Entry[] }>(`/${resource}/${id}/_history`);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.data;
}

/** Who wrote the record last. */
async function lastOf(resource: string, id: string, by = admin) {
  const [{ op, by: account, token, job } = { op: "", by: null }] = await entries(resource, id, by);
  return [op, account?.id ?? null, token ?? null, job ?? null];
}

const ways: readonly (readonly [string, (context: Context, id: string) => Promise<unknown>])[] = [
  ["resources", ({ resources }, id) => resources.tags.update(id, { text: "resources" })],
  ["SQL", ({ db }, id) => db.query("update tags set text = 'SQL' where id = $1", [id])],
  [
    "SQL in a savepoint",
    ({ db }, id) =>
      db.transaction((tx) => tx.query("update tags set text = 'tx' where id = $1", [id])),
  ],
];

test.each(ways)("a before hook and a policy write as the caller: by %s", async (_, way) => {
  const order = await made("orders", { text: "o" });
  const [byHook, byPolicy] = [await made("tags", {}, other), await made("tags", {}, other)];
  onUpdate = (context) => way(context, byHook);
  onJudge = (context) => way(context, byPolicy);
  const reply = await other.client.patch(`/orders/${order}`, { text: "changed" });
  [onUpdate, onJudge] = [async () => {}, async () => {}];
  expect(reply.status, reply.text).toBe(200);
  for (const id of [byHook, byPolicy]) {
    expect(await lastOf("tags", id)).toEqual(["update", other.id, null, null]);
  }
});

test("a hook that writes before a batch has written anything writes as the caller", async () => {
  const [order, tag] = [await made("orders", {}), await made("tags", {})];
  onUpdate = ({ resources }) => resources.tags.update(tag, { text: "batch" });
  const operations = [{ update: "orders", id: order, values: { text: "b" } }];
  const reply = await other.client.post("/_service/batch", { operations });
  onUpdate = async () => {};
  expect(reply.status, reply.text).toBe(200);
  expect(await lastOf("tags", tag)).toEqual(["update", other.id, null, null]);
});

test("records that a delete cascades to or clears are written by the caller", async () => {
  const [order, box] = [await made("orders", {}), await made("boxes", {})];
  const line = await made("lines", { orderId: order });
  const tag = await made("tags", { orderId: order });
  const part = await made("parts", { boxId: box });
  expect((await other.client.delete(`/orders/${order}`)).status).toBe(204);
  expect((await other.client.delete(`/boxes/${box}`)).status).toBe(204);
  expect(await lastOf("lines", line)).toEqual(["delete", other.id, null, null]);
  expect(await lastOf("tags", tag)).toEqual(["update", other.id, null, null]);
  expect(await lastOf("parts", part)).toEqual(["update", other.id, null, null]);
  // An operator deletes an account.
  const gone = await app.caller(null);
  const memo = await made("memos", { userId: gone.id });
  const reply = await admin.client.delete(`/_service/accounts/${gone.id}`);
  expect(reply.status, reply.text).toBe(204);
  expect(await lastOf("memos", memo, admin)).toEqual(["update", admin.id, null, null]);
});

test("an app route writes as its caller, through every interface", async () => {
  const own = app.app as unknown as {
    readonly resources: Kit & { as(caller: object): Kit };
    readonly db: Context["db"];
    transaction(work: (given: { resources: Kit; db: Context["db"] }) => Promise<unknown>): unknown;
  };
  const third = { accountId: admin.id, role: "admin", sessionId: null };
  const update = "update tags set text = 'own' where id = $1";
  const found =
    "with one as (select $1::uuid as id) update tags set text = 'w' from one where tags.id = one.id";
  await app.db.query(`
    create function public.set_text(_id uuid) returns boolean
    begin atomic
      update tags set text = 'function' where id = _id returning true;
    end`);
  const writes: readonly ((id: string, resources: Kit) => unknown)[] = [
    (id) => own.resources.tags.update(id, { text: "own" }),
    (id) => own.resources.as(third).tags.update(id, { text: "own" }),
    (id, resources) => resources.tags.update(id, { text: "own" }),
    (id) => own.db.query(update, [id]),
    (id) => own.db.query(`-- A comment.\n ${update}`, [id]),
    (id) => own.db.query(found, [id]),
    (id) => own.db.query("select set_text($1)", [id]),
    (id) => own.db.query("select * from set_text($1) as done", [id]),
    (id) => own.db.transaction((tx) => tx.query(update, [id])),
    (id) => own.transaction(({ db }) => db.query(update, [id])),
    (id) => own.transaction(({ resources }) => resources.tags.update(id, { text: "own" })),
  ];
  for (const [at, write] of writes.entries()) {
    const tag = await made("tags", {});
    onRoute = async (resources) => write(tag, resources);
    expect((await other.client.post("/own", {})).status, String(at)).toBe(204);
    expect(await lastOf("tags", tag), String(at)).toEqual(["update", other.id, null, null]);
  }
});

test.each(["touch", "touch.whole"])(
  "writes of the job %s have its name, and no account",
  async (job) => {
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => made("tags", {})));
    const { resources } = app.app as unknown as { resources: Kit };
    onJob = async (context) => {
      await context.resources.tags.update(one ?? "", { text: "job" });
      await context.db.query("update tags set text = 'job' where id = $1", [two]);
      if (job === "touch") await resources.tags.update(three ?? "", { text: "job" });
    };
    const { jobs } = app.app as unknown as {
      jobs: { add(name: string, input: object): Promise<string> };
    };
    await jobs.add(job, {});
    const ids = job === "touch" ? [one, two, three] : [one, two];
    for (const id of ids) {
      await expect.poll(() => lastOf("tags", id ?? "")).toEqual(["update", null, null, job]);
    }
    // Whoever may not see names sees that it was a job.
    expect(await lastOf("tags", one ?? "", other)).toEqual(["update", null, null, job]);
  },
);

test("writes with a service token have its name beside the account", async () => {
  const name = `Import "ü" ${"x".repeat(200)}`;
  const token = async (owner: RuledCaller, title: string) => {
    const reply = await owner.client.post<{ token: string }>("/auth/service-tokens", {
      name: title,
    });
    expect(reply.status, reply.text).toBe(201);
    return { ...owner, client: client(app.url, reply.body.token) };
  };
  const [program, another] = [await token(admin, name), await token(other, "Other")];
  // Writes that are stored by one statement.
  const writers = [program, admin, another, other];
  const ids = await Promise.all(
    Array.from({ length: 40 }, (_, at) => made("tags", {}, writers[at % 4] as RuledCaller)),
  );
  const expected = [
    ["create", admin.id, name, null],
    ["create", admin.id, null, null],
    ["create", other.id, "Other", null],
    ["create", other.id, null, null],
  ];
  for (const [at, id] of ids.entries()) expect(await lastOf("tags", id)).toEqual(expected[at % 4]);
  const changed = await Promise.all(
    ids.map((id, at) =>
      (writers[(at + 2) % 4] as RuledCaller).client.patch(`/tags/${id}`, { text: "x" }),
    ),
  );
  expect(new Set(changed.map(({ status }) => status))).toEqual(new Set([200]));
  for (const [at, id] of ids.entries()) {
    expect((await lastOf("tags", id)).slice(1)).toEqual(expected[(at + 2) % 4]?.slice(1));
  }
  // A hook of its write.
  const [order, tag] = [await made("orders", {}), await made("tags", {})];
  onUpdate = ({ resources }) => resources.tags.update(tag, { text: "hook" });
  await program.client.patch(`/orders/${order}`, { text: "o" });
  onUpdate = async () => {};
  expect(await lastOf("tags", tag)).toEqual(["update", admin.id, name, null]);
  // An own route, with SQL, and an agent.
  const { db } = app.app as unknown as { readonly db: Context["db"] };
  onRoute = () => db.query("update tags set text = 'own' where id = $1", [tag]);
  expect((await program.client.post("/own", {})).status).toBe(204);
  expect(await lastOf("tags", tag)).toEqual(["update", admin.id, name, null]);
  const call = await program.client.send("POST", "/_service/mcp", {
    text: JSON.stringify({
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
      params: { name: "delete", arguments: { resource: "tags", id: ids[1] } },
    }),
    headers: { accept: "application/json, text/event-stream" },
  });
  expect(call.status, call.text).toBe(200);
  expect(await lastOf("tags", ids[1] ?? "")).toEqual(["delete", admin.id, name, null]);
  // Its name is as visible as that of its account, and stays when the token is revoked.
  expect(await lastOf("tags", tag, other)).toEqual(["update", null, null, null]);
  const { body } = await admin.client.get<{ data: { id: string }[] }>("/auth/service-tokens");
  await admin.client.delete(`/auth/service-tokens/${body.data[0]?.id}`);
  expect(await lastOf("tags", tag)).toEqual(["update", admin.id, name, null]);
});

test("values that the app's SQL sets to anything else are ignored", async () => {
  const tag = await made("tags", {});
  for (const set of ["me", "job", "job ", "job x", `${randomUUID()} `, "job ====", "{"]) {
    await app.db.transaction(async (tx) => {
      await tx.query("select set_config('service.account', $1, true)", [set]);
      await tx.query("update tags set text = $2 where id = $1", [tag, set]);
    });
    expect(await lastOf("tags", tag), set).toEqual(["update", null, null, null]);
  }
});

test("no concurrent revert of a deleted record is refused because of the record's own values", async () => {
  for (let round = 0; round < 5; round += 1) {
    const code = `unique ${round}`;
    const id = await made("orders", { code });
    await admin.client.delete(`/orders/${id}`);
    const [, created] = (await entries("orders", id)) as readonly (Entry & { id: string })[];
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        admin.client.post(`/orders/${id}/_revert`, { to: created?.id }),
      ),
    );
    for (const { status, text: answer } of replies) expect([200, 409], answer).toContain(status);
    expect(replies.map(({ status }) => status)).toContain(200);
    // A value of another record is refused as ever.
    await admin.client.delete(`/orders/${id}`);
    await made("orders", { code });
    const refused = await admin.client.post<{ issues: { path: string }[] }>(
      `/orders/${id}/_revert`,
      { to: created?.id },
    );
    expect([refused.status, refused.body.issues?.[0]?.path]).toEqual([422, "code"]);
  }
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { adoptedFiles } from "../support/adopt/adopted-files.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import type { Client, Row } from "../support/http/client.js";

let database: TestDatabase;
let app: WrittenApp;
let ann: { readonly client: Client; readonly id: string };
let bob: { readonly client: Client; readonly id: string };

beforeAll(async () => {
  database = await emptyDatabase();
  const adopted = await adoptedFiles(
    database.url,
    `create table "Users" ("UserId" bigserial primary key, "Email" text not null);
     create table orders (
       id serial primary key, user_id bigint not null references "Users" on delete cascade, total int not null
     );
     insert into "Users" ("Email") values ('ann@example.com'), ('bob@example.com');
     insert into orders (user_id, total) values (1, 10), (2, 20), (1, 30)`,
    { accounts: "public.Users" },
  );
  const orders = (adopted.descriptors.get("orders.yaml") ?? "").replace(
    "access: { read: [admin], write: [admin] }",
    "owner: userId.accountId\naccess: { read: owner, write: owner }",
  );
  app = await startWrittenApp({
    ...adopted,
    descriptors: new Map([...adopted.descriptors, ["orders.yaml", orders]]),
    databaseUrl: database.url,
  });
  ann = await app.caller(null);
  bob = await app.caller(null);
  await app.db.query(
    `update "Users" set account_id = case "UserId" when 1 then $1::uuid else $2 end`,
    [ann.id, bob.id],
  );
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
});

test("records belong to the account of the person to whom they link", async () => {
  const totals = async ({ client }: { readonly client: Client }) => {
    const { status, body, text } = await client.list("/orders?sort=id");
    expect(status, text).toBe(200);
    expect(body.meta.total).toBe(body.data.length);
    return body.data.map(({ total }) => total);
  };
  expect(await totals(ann)).toEqual([10, 30]);
  expect(await totals(bob)).toEqual([20]);
  expect((await ann.client.get("/orders/1")).status).toBe(200);
  expect((await bob.client.get("/orders/1")).status).toBe(404);
  const made = await bob.client.post<Row>("/orders", { userId: "2", total: 40 });
  expect(made.status, made.text).toBe(201);
  expect((await bob.client.post("/orders", { userId: "1", total: 40 })).status).toBe(422);
  const changed = await ann.client.patch<Row>("/orders/1", { total: 11 });
  expect(changed.status, changed.text).toBe(200);
  expect((await bob.client.patch("/orders/1", { total: 12 })).status).toBe(404);
  expect((await ann.client.delete("/orders/2")).status).toBe(404);
  await app.db.query("update orders set user_id = 2 where id = 3");
  expect(await totals(ann)).toEqual([11]);
  expect(await totals(bob)).toEqual([20, 30, 40]);
});

test("a deleted account leaves its person, who belongs to no account", async () => {
  await app.db.query("delete from service.users where id = $1", [bob.id]);
  expect(await app.db.query(`select "UserId", account_id from "Users" where "UserId" = 2`)).toEqual(
    [{ UserId: "2", account_id: null }],
  );
  const { client: admin } = await app.caller("admin");
  expect((await admin.get<Row>("/people/2")).body).toMatchObject({ accountId: null });
});

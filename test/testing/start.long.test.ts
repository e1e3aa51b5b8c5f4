import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { startTestApp } from "service-cli/testing";
import { refusal } from "service-runtime/errors";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { createApp, type Hooks } from "../../fixtures/apps/shop/generated/app.js";
import { createClient } from "../../fixtures/apps/shop/generated/client.js";
import { withVariables } from "../support/processes/environment.js";

let act: (id: string) => unknown = () => {};
const hooks: Hooks = {
  products: {
    beforeCreate: ({ name }) => {
      if (name === "Coffee") throw refusal(409, "No coffee");
    },
    afterCreate: async ({ id }) => void (await act(id)),
  },
};

const start = () => withVariables(variables(), startHere);
const startHere = () => startTestApp(() => createApp({ hooks }), { createClient });
const variables = () => ({
  DATABASE_URL: ownerUrl.href,
  SHOP_STORAGE: "/nowhere",
  SERVICE_LOG_LEVEL: "error",
});

/** A role of this file: other files, which run beside it, create databases too. */
const owner = `start_${randomBytes(8).toString("hex")}`;
const ownerUrl = new URL(inject("postgresUrl"));
ownerUrl.username = owner;
ownerUrl.password = owner;

async function asAdmin(sql: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const admin = new pg.Client({ connectionString: inject("postgresUrl") });
  await admin.connect();
  const { rows } = await admin.query(sql);
  await admin.end();
  return rows;
}

/** The databases of this file's apps. */
function databases() {
  return asAdmin(`select datname from pg_database where datdba = '${owner}'::regrole order by 1`);
}

let app: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  await asAdmin(`create role ${owner} login superuser password '${owner}'`);
  app = await start();
});
afterAll(async () => {
  await app.stop();
  await asAdmin(`drop role ${owner}`);
});
afterEach(() => app.reset());

test("an app runs on a separate database, with accounts whose clients are typed", async () => {
  expect(app.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const { id, email, token, client } = await app.account({ role: "admin", name: "Ada" });
  const { user } = await client.auth.me();
  expect(user).toMatchObject({ id, email, name: "Ada", role: "admin" });
  expect(token).toMatch(/^[\w-]{43}$/);
  const category = await client.categories.create({ name: "Teas" });
  const product = await client.products.create({ name: "Tea", price: 2, categoryId: category.id });
  expect(await app.app.resources.products.get(product.id)).toMatchObject({ name: "Tea", price: 2 });
  await expect(
    client.products.create({ name: "Coffee", price: 2, categoryId: category.id }),
  ).rejects.toMatchObject({ status: 409, message: "No coffee" });
});

test("accounts have no role unless one is given, a default name, and different addresses", async () => {
  const [one, other] = [await app.account(), await app.account()];
  expect(one.email).not.toBe(other.email);
  expect((await one.client.auth.me()).user).toMatchObject({ role: null, name: "Somebody" });
});

test("mails of the package and of app code are kept and not sent", async () => {
  await app.app.mail.send({
    to: ["bob@example.com", "eve@example.com"],
    subject: "Hi",
    text: "Ho",
  });
  const { email } = await app.account();
  const body = JSON.stringify({ email });
  const headers = { "content-type": "application/json" };
  await fetch(`${app.url}/api/auth/password/forgot`, { method: "POST", body, headers });
  const mails = await app.mails();
  expect(mails[0]).toEqual({
    to: ["bob@example.com", "eve@example.com"],
    subject: "Hi",
    text: "Ho",
  });
  await expect.poll(() => app.mails()).toHaveLength(2);
  expect((await app.mails())[1]).toMatchObject({
    to: [email],
    subject: expect.stringContaining("Reset"),
    text: expect.stringMatching(/https?:\/\//),
  });
});

test("reset empties every table, counts included, and the app continues", async () => {
  const { client } = await app.account({ role: "admin" });
  const category = await client.categories.create({ name: "Teas" });
  const fields = { price: 2, categoryId: category.id };
  for (const name of ["Green", "Black", "Red"]) await client.products.create({ name, ...fields });
  await app.app.mail.send({ to: "bob@example.com", subject: "Hi", text: "Ho" });
  await app.reset();
  await expect(client.products.list()).rejects.toMatchObject({ status: 401 });
  expect(await app.mails()).toEqual([]);
  const again = await app.account({ role: "admin" });
  expect((await again.client.products.list()).meta.total).toBe(0);
  expect((await again.client.products.stats()).total).toBe(0);
  const teas = await again.client.categories.create({ name: "Teas" });
  await again.client.products.create({ name: "Green", price: 1, categoryId: teas.id });
  expect((await again.client.products.list()).meta.total).toBe(1);
});

test("reset waits for the hooks after writes", async () => {
  const category = await app.app.resources.categories.create({ name: "Teas" });
  let count = -1;
  act = async (id) => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    await app.app.resources.products.update(id, { stock: 5 });
    count = await app.app.resources.products.count();
  };
  await app.app.resources.products.create({ name: "Tea", price: 2, categoryId: category.id });
  await app.reset();
  act = () => {};
  expect(count).toBe(1);
  expect(await app.app.resources.products.count()).toBe(0);
});

test("two apps run side by side, and each drops its database when it stops", async () => {
  const before = await databases();
  // Two at once that set variables would put back each other's.
  const [one, other] = await withVariables(variables(), () =>
    Promise.all([startHere(), startHere()]),
  );
  expect(await databases()).toHaveLength(before.length + 2);
  expect(one.url).not.toBe(other.url);
  await one.app.resources.categories.create({ name: "Teas" });
  expect(await other.app.resources.categories.count()).toBe(0);
  await one.reset();
  await other.app.resources.categories.create({ name: "Teas" });
  await one.reset();
  expect(await other.app.resources.categories.count()).toBe(1);
  const idle = await idleConnection(one.url);
  let answer = "";
  idle.on("data", (bytes) => {
    answer += bytes;
  });
  const ended = Promise.all([one.stop(), other.stop()]);
  await expect.poll(() => fetch(one.url).catch(({ cause }) => cause.code)).toBe("ECONNREFUSED");
  await sleep(20);
  // A server that somebody else uses would wait two seconds for it.
  idle.write(requestTo(one.url));
  await ended;
  expect(await databases()).toEqual(before);
  expect(answer).toBe("");
});

function requestTo(url: string): string {
  return `GET /api/_service/live HTTP/1.1\r\nhost: ${new URL(url).hostname}\r\n\r\n`;
}

/** A connection that has had its answer. */
async function idleConnection(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on("error", () => {});
  socket.write(requestTo(url));
  await once(socket, "data");
  return socket.resume();
}

test("an error that prevents the app from starting is thrown, and leaves no database", async () => {
  const before = await databases();
  const broken = { produkts: { beforeCreate: () => {} } } as unknown as Hooks;
  const started = withVariables(variables(), () =>
    startTestApp(() => createApp({ hooks: broken })),
  );
  await expect(started).rejects.toThrow('hooks: there is no resource "produkts"');
  const nothing = withVariables(variables(), () =>
    startTestApp(async () => {
      throw new Error("own code fails");
    }),
  );
  await expect(nothing).rejects.toThrow("own code fails");
  expect(await databases()).toEqual(before);
});

test("app.express answers before listen, in another server", async () => {
  const { email } = await app.account();
  const other = await withVariables({ ...variables(), DATABASE_URL: await own() }, () =>
    createApp({ hooks }),
  );
  other.use((_request, response, next) => {
    response.setHeader("x-own", "before");
    next();
  });
  const server = createServer(other.express);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  for (const [path, status] of [
    ["/_service/ping", 200],
    ["/products", 401],
    ["/nothing", 404],
  ] as const) {
    const answer = await fetch(url + path);
    expect([path, answer.status, answer.headers.get("x-own")]).toEqual([path, status, "before"]);
    expect(answer.headers.get("x-request-id")).toMatch(/./);
    expect(answer.headers.get("cache-control")).toMatch(/no-store/);
  }
  const posted = await fetch(`${url}/auth/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password: "something wrong" }),
  });
  expect(posted.status).toBe(401);
  await new Promise((resolve) => server.close(resolve));
  await other.close();
});

/** The address of the database of the running app. */
async function own(): Promise<string> {
  const [row] = await app.app.db.query<{ name: string }>("select current_database() as name");
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${row?.name}`;
  return url.href;
}

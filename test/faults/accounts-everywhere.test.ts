import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount } from "../../runtime/auth/index.js";
import { systemClock } from "../../runtime/clock/index.js";
import { readConfig } from "../../runtime/config/index.js";
import { type Database, openDatabase } from "../../runtime/db/index.js";
import { type Outcome, service } from "../cli/service.js";
import { newName } from "../support/apps/shop.js";
import { type Client, client } from "../support/http/client.js";
import {
  account,
  openHost,
  type ShopHost,
  type ShopServer,
} from "../support/processes/shop-process.js";
import { getAnew } from "../support/processes/workers.js";

let host: ShopHost;
let db: Database;
/** Two processes on one database. */
let here: ShopServer;
let there: ShopServer;

beforeAll(async () => {
  host = await openHost();
  db = openDatabase({ url: host.databaseUrl, poolSize: 1, prepare: true });
  [here, there] = await Promise.all([host.serve(), host.serve()]);
});
afterAll(async () => {
  await db.close();
  await host.close();
});

const { password } = account;

/** Makes an account of a new address, which is the answer. */
async function person(name: string): Promise<string> {
  const config = readConfig({ root: host.root, environment: {}, databaseUrl: host.databaseUrl });
  const email = `${newName(name).replace(" ", "-")}@example.com`;
  await createAccount({ db, clock: systemClock, config }, { email, name, role: null, password });
  return email;
}

/** A device that is signed in through one process, as each of the two sees it. */
interface Device {
  readonly here: Client;
  readonly there: Client;
  readonly sessionId: string;
}

async function signIn(email: string): Promise<Device> {
  const reply = await here.anonymous.post<{ token: string }>("/auth/token", { email, password });
  const { token } = reply.body;
  const device = { here: client(here.url, token), there: client(there.url, token) };
  const me = await device.there.get<{ session: { id: string } }>("/auth/me");
  expect(me.status, me.text).toBe(200);
  return { ...device, sessionId: me.body.session.id };
}

/** What each device's next request to the other process is answered, on a connection of its own. */
async function statusesThere(...devices: Device[]): Promise<readonly number[]> {
  const replies = await Promise.all(devices.map((device) => getAnew(device.there, "/auth/me")));
  return replies.map(({ status }) => status);
}

function user(...args: string[]): Promise<Outcome> {
  return service(host.root, ["user", ...args], { env: { DATABASE_URL: host.databaseUrl } });
}

test("a password that is changed through one process signs the others out in all", async () => {
  const email = await person("change");
  const [one, two] = [await signIn(email), await signIn(email)];
  const body = { currentPassword: password, newPassword: "another password of the tests" };
  expect((await one.here.post("/auth/password", body)).status).toBe(204);
  expect(await statusesThere(one, two)).toEqual([200, 401]);
});

test("a device that is signed out through one process is signed out in all", async () => {
  const email = await person("devices");
  const [one, two, three] = [await signIn(email), await signIn(email), await signIn(email)];
  expect((await one.here.delete(`/auth/sessions/${two.sessionId}`)).status).toBe(204);
  expect(await statusesThere(one, two, three)).toEqual([200, 401, 200]);
  expect((await one.here.delete("/auth/sessions")).status).toBe(204);
  expect(await statusesThere(one, three)).toEqual([200, 401]);
  expect((await one.here.delete("/auth/token")).status).toBe(204);
  expect(await statusesThere(one)).toEqual([401]);
});

test("an account disabled from the command line is signed out at once, and may be enabled again", async () => {
  const email = await person("disabled");
  const device = await signIn(email);
  expect((await user("disable", "--email", email)).exitCode).toBe(0);
  expect(await statusesThere(device)).toEqual([401]);
  expect((await there.anonymous.post("/auth/token", { email, password })).status).toBe(401);
  expect((await user("enable", "--email", email)).exitCode).toBe(0);
  expect(await statusesThere(device, await signIn(email))).toEqual([401, 200]);
});

test("an account disabled by SQL is signed out at once", async () => {
  const email = await person("locked");
  const device = await signIn(email);
  await db.query("update service.users set disabled_at = now() where email = $1", [email]);
  expect(await statusesThere(device)).toEqual([401]);
});

test("a role takes effect from the next request on", async () => {
  const email = await person("role");
  const device = await signIn(email);
  const category = () => device.there.post("/categories", { name: `Of ${email}` });
  expect((await category()).status).toBe(403);
  expect((await user("set-role", "--email", email, "--role", "admin")).exitCode).toBe(0);
  expect((await category()).status).toBe(201);
  expect((await user("set-role", "--email", email, "--no-role")).exitCode).toBe(0);
  expect((await category()).status).toBe(403);
});

test("attempts are counted over all processes, and over a restart", async () => {
  const email = `${newName("nobody").replace(" ", "-")}@example.com`;
  const statuses: number[] = [];
  for (let tries = 0; tries < 11; tries += 1) {
    const { anonymous } = tries % 2 === 0 ? here : there;
    statuses.push((await anonymous.post("/auth/token", { email, password })).status);
  }
  expect(statuses).toEqual([...Array(10).fill(401), 429]);
  for (const { process } of [here, there]) process.kill("SIGTERM");
  await Promise.all([here.process, there.process]);
  [here, there] = await Promise.all([host.serve(), host.serve()]);
  for (const { anonymous } of [here, there]) {
    const late = await anonymous.post("/auth/token", { email, password });
    expect([late.status, late.body]).toMatchObject([429, { code: "TOO_MANY_ATTEMPTS" }]);
  }
});

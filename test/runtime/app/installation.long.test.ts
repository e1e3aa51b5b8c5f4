import { expect, test } from "vitest";
import { migrateShop, shopDatabase, startCodeApp } from "../../support/apps/code-app.js";
import { emptyDatabase } from "../../support/database/database.js";
import { client } from "../../support/http/client.js";

const settings = "auth: { check_breached_passwords: false }\n";

async function ping(url: string): Promise<unknown> {
  const { status, body } = await client(url, null).get<unknown>("/_service/ping");
  expect(status).toBe(200);
  return body;
}

test("ping's app is the same for every server of a database, and different for another database", async () => {
  const database = await shopDatabase();
  const other = await emptyDatabase();
  await migrateShop(other);
  const servers = [
    await startCodeApp(database, settings),
    await startCodeApp(database, `app: { name: Another }\n${settings}`),
    await startCodeApp(other, settings),
  ];
  const [one, two, elsewhere] = await Promise.all(servers.map(({ url }) => ping(url)));
  expect(one).toEqual({ service: "0.5.0", app: expect.stringMatching(/^[0-9a-f]{12}$/) });
  expect(two).toEqual(one);
  expect(elsewhere).not.toEqual(one);
  for (const server of servers) await server.close();

  const again = await startCodeApp(database, settings);
  expect(await ping(again.url)).toEqual(one);
  await again.close();
  await database.drop();
  await other.drop();
});

test("a closed app leaves no signal listener behind", async () => {
  const listeners = () => ["SIGTERM", "SIGINT"].map((signal) => process.listenerCount(signal));
  const database = await shopDatabase();
  const before = listeners();
  const server = await startCodeApp(database, settings);
  expect(listeners()).toEqual(before.map((count) => count + 1));
  await server.close();
  expect(listeners()).toEqual(before);
  await database.drop();
});

import { createPrivateKey } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { generateSync } from "otplib";
import pg from "pg";
import type { App } from "service-runtime/app";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrate, readMigrations } from "../../runtime/migrate/index.js";
import { newAuthenticator } from "../support/accounts/authenticator.js";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import { dump } from "../support/database/dump.js";
import { type Client, client, hangUp } from "../support/http/client.js";
import { withVariables } from "../support/processes/environment.js";
import { copyApp, known, packageMigrations, releases, storedDatabase } from "./release.js";

test.each(releases)("the package's migrations of %s are as they were released", async (version) => {
  const files = await readMigrations("no migrations of an app");
  const present = Object.fromEntries(files.map(({ name, checksum }) => [name, checksum]));
  expect(present).toMatchObject(packageMigrations(version));
  // What was added since comes after them.
  const released = Object.keys(packageMigrations(version));
  expect(Object.keys(present).slice(0, released.length)).toEqual(released);
});

describe.each(releases)("a database that %s made", (version) => {
  const { accounts, origin, passkey, password, secret, ...filled } = known(version);
  let root: string;
  let database: TestDatabase;
  let app: App;
  let url: string;
  let ada: Client;

  beforeAll(async () => {
    database = await emptyDatabase();
    await query(storedDatabase(version));
    await query(
      `alter table notebooks disable trigger user;
       update notebooks set title = normalize(title, nfd) where title like '%Ärger%';
       alter table notebooks enable trigger user`,
    );
    root = await copyApp(version);
    await migrate({ url: database.url, directory: join(root, "migrations") });
    const variables = {
      DATABASE_URL: database.url,
      PORT: "0",
      KEPT_STORAGE: join(root, "storage"),
      SERVICE_LOG_LEVEL: "error",
      SERVICE_SECRET: secret,
      SERVICE_WEB_URL: origin,
    };
    [app, url] = await withVariables(variables, async () => {
      const emitted: { createApp(): Promise<App> } = await import(
        pathToFileURL(join(root, "generated/app.ts")).href
      );
      const started = await emitted.createApp();
      return [started, await started.listen()];
    });
    ada = client(url, filled.token);
  });
  afterAll(async () => {
    hangUp(url);
    await app?.close();
    await database.drop();
    removeAppFolder(root);
  });

  async function query<Row extends object>(text: string): Promise<readonly Row[]> {
    const db = new pg.Client({ connectionString: database.url });
    await db.connect();
    try {
      return (await db.query(text)).rows;
    } finally {
      await db.end();
    }
  }

  async function signIn(body: object): Promise<Client> {
    const {
      status,
      body: answer,
      text,
    } = await client(url, null).post<{ token: string }>("/auth/token", body);
    expect(status, text).toBe(201);
    return client(url, answer.token);
  }

  test("migrates to the schema of a new one", async () => {
    const fresh = await emptyDatabase();
    try {
      await migrate({ url: fresh.url, directory: join(root, "migrations") });
      expect(await dump(database.url)).toEqual(await dump(fresh.url));
    } finally {
      await fresh.drop();
    }
  });

  test("signs in with the password, the passkey, the second step and on the device", async () => {
    const again = await signIn({ email: accounts.ada, password, deviceName: "New" });
    const names = (await again.get<{ data: { name: string }[] }>("/auth/sessions")).body.data;
    expect(names.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["New", "Laptop", "Telephone"]),
    );
    expect((await ada.get("/auth/me")).body).toMatchObject({ user: { email: accounts.ada } });

    const options = (await client(url, null).post<never>("/auth/passkey/options", {})).body;
    const credential = signedWith(options);
    const { status } = await client(url, null).post("/auth/passkey", { credential });
    expect(status).toBe(201);

    const first = await client(url, null).post<{ challenge: string }>("/auth/token", {
      email: accounts.bob,
      password,
    });
    const { challenge } = first.body;
    const code = generateSync({ secret: filled.totp });
    const second = { challenge, method: "totp", code };
    expect((await client(url, null).post("/auth/two-factor/verify", second)).status).toBe(201);
  });

  function signedWith(options: never): unknown {
    const authenticator = newAuthenticator({ origin });
    // One that it makes for nobody, so that it can sign at all.
    const user = { id: passkey.userHandle, name: "", displayName: "" };
    const rp = { id: new URL(origin).hostname, name: "" };
    authenticator.create({ challenge: "", rp, user, pubKeyCredParams: [] });
    return authenticator.get(options, {
      credentialId: Buffer.from(passkey.id, "base64url"),
      privateKey: createPrivateKey({ key: passkey.privateKey, format: "jwk" }),
    });
  }

  test("has the records, the files and the totals", async () => {
    const total = async (path: string) => (await ada.list(path)).body.meta.total;
    const { all, draft, live, gone, pinned } = filled.totals;
    expect(await total("/notebooks")).toBe(all);
    expect(await total("/notebooks?filter[status]=live")).toBe(live);
    expect(await total("/notebooks?filter[pinned]=true")).toBe(pinned);
    expect(await total("/notebooks?q=files")).toBe(1);
    expect(await total("/notebooks?q=arger")).toBe(1);
    expect((await ada.get("/notebooks/_stats?field=status")).body).toMatchObject({
      total: all,
      values: { draft, live, gone },
    });
    expect(await query("select * from service.wrong_counts()")).toEqual([]);

    const { body } = await ada.get<Record<string, never>>(
      `/notebooks/${filled.withFiles}?include=pages`,
    );
    expect(body).toMatchObject({
      title: "With files, Ärger & 😀",
      openedOn: "2026-02-28",
      openedAt: "2026-02-28T12:30:00.125Z",
      manualFile: { name: "manual.txt" },
    });
    const headers = { authorization: `Bearer ${filled.token}` };
    const manual = await fetch(`${url}/api/_service/files/${body.manual}`, { headers });
    expect(await manual.text()).toBe(filled.manual);
  });

  test("accepts writes, and its totals follow", async () => {
    const made = await ada.post("/notebooks", { title: "After the upgrade", status: "draft" });
    expect(made.status, made.text).toBe(201);
    const changed = await ada.patch(`/notebooks/${filled.withFiles}`, { status: "gone", price: 2 });
    expect(changed.status, changed.text).toBe(200);
    const { all, draft, live, gone } = filled.totals;
    expect((await ada.get("/notebooks/_stats?field=status")).body).toMatchObject({
      total: all + 1,
      values: { draft: draft + 1, live: live - 1, gone: gone + 1 },
    });
    const page = { notebookId: made.body.id, number: 1 };
    expect((await ada.post("/pages", page)).status).toBe(201);
    expect((await ada.post("/pages", page)).status).toBe(422);
    expect((await ada.delete(`/notebooks/${made.body.id}`)).status).toBe(204);
    expect(await query("select * from service.wrong_counts()")).toEqual([]);

    const admin = await signIn({ email: accounts.admin, password });
    expect((await admin.list("/_service/accounts")).body.meta.total).toBe(3);
  });
});

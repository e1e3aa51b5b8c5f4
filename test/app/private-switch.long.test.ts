import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { App } from "service-runtime/app";
import { afterAll, beforeAll, expect, test } from "vitest";
import { generate } from "../../generator/generate.js";
import { writePlan } from "../../generator/output/write.js";
import { systemClock } from "../../runtime/clock/index.js";
import { newLog } from "../../runtime/own-code/index.js";
import type { FileDetails } from "../../runtime/uploads/index.js";
import { startMoving } from "../../runtime/uploads/move/schedule.js";
import { openFileStores } from "../../runtime/uploads/storage/open.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { bare, detailsIn, fetchFile, startPrivateApp } from "../support/apps/private-app.js";
import type { WrittenApp } from "../support/apps/written-app.js";
import { type Client, client, hangUp, type Row } from "../support/http/client.js";
import { withVariables } from "../support/processes/environment.js";
import { uploaded } from "../support/storage/stored.js";

/** The same app, on the same database and files, after `cover` has become private and `scan` public. */
let next: { readonly root: string; readonly app: App; readonly url: string };
let app: WrittenApp;
let token: string;
let scan: FileDetails;
let cover: FileDetails;
let record: Row;

const keyed = (caller: Client) =>
  caller.send<Row>("POST", "/documents", {
    text: JSON.stringify({ title: "kept", scan: scan.key, cover: cover.key }),
    headers: { "idempotency-key": "before-the-switch" },
  });

beforeAll(async () => {
  app = await startPrivateApp();
  const ada = (await app.caller(null)).client;
  const tokens = await ada.post<{ token: string }>("/auth/service-tokens", { name: "files" });
  ({ token } = tokens.body);
  scan = await uploaded(ada, "documents/scan", "scan.png");
  cover = await uploaded(ada, "documents/cover", "cover.png");
  record = (await keyed(client(app.url, token))).body;
  next = await restarted();
});
afterAll(async () => {
  hangUp(next.url);
  await next.app.close();
  removeAppFolder(next.root);
  await app.close();
});

async function restarted(): Promise<typeof next> {
  const root = makeAppFolder();
  cpSync(app.root, root, { recursive: true, verbatimSymlinks: true });
  const path = join(root, "resources/documents.yaml");
  const text = readFileSync(path, "utf8")
    .replace(
      "scan: { type: image, profile: product, private: true }",
      "scan: { type: image, profile: product }",
    )
    .replace("cover: { type: image }", "cover: { type: image, private: true }");
  writeFileSync(path, text);
  const { problems, plan } = await generate({ root, name: null, consent: [] });
  expect(problems).toEqual([]);
  writePlan(root, plan);
  const variables = {
    DATABASE_URL: app.config.database.url,
    PORT: "0",
    SERVICE_LOG_LEVEL: "error",
    SERVICE_SECRET: app.config.secret.toString(),
  };
  return withVariables(variables, async () => {
    const emitted: { createApp(): Promise<App> } = await import(
      pathToFileURL(join(root, "generated/app.ts")).href
    );
    const made = await emitted.createApp();
    return { root, app: made, url: await made.listen() };
  });
}

const signed = /\?until=\d+&signature=[\w-]{43}$/;

test("a field that becomes private, or public, changes the addresses of stored files at once", async () => {
  const { body } = await client(next.url, token).get(`/documents/${record.id}`);
  expect(detailsIn(body, "cover").url).toMatch(signed);
  expect(detailsIn(body, "scan").url).toBe(bare(scan.url));
  expect(detailsIn(body, "scan").renditions.thumb?.url).not.toContain("?");
  expect((await fetchFile(next, cover.url)).status).toBe(404);
  expect((await fetchFile(next, cover.url, { token })).status).toBe(200);
  expect((await fetchFile(next, detailsIn(body, "cover").url)).status).toBe(200);
  const { status, headers } = await fetchFile(next, bare(scan.url));
  expect(status).toBe(200);
  expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
});

test("an earlier response is repeated with the new addresses", async () => {
  const { headers, body } = await keyed(client(next.url, token));
  expect(headers["idempotency-replayed"]).toBe("true");
  expect(Object.keys(body)).toEqual(Object.keys(record));
  expect(detailsIn(body, "cover").url).toMatch(signed);
  expect(detailsIn(body, "scan").url).toBe(bare(scan.url));
});

test("the place of stored files is recorded in the background", async () => {
  await expect
    .poll(() =>
      app.db.query(
        `select stored.key from service.stored_objects as stored
         join service.uploads as upload on upload.key = stored.upload_key
         where stored.is_private <> (upload.field = 'cover')`,
      ),
    )
    .toEqual([]);
});

test("a file that an old server stores afterwards is found later", async () => {
  const { db, config } = app;
  const log = newLog({ logLevel: "silent" });
  const services = { config, db, log, clock: systemClock, ...openFileStores(config.uploads) };
  const misplaced = () =>
    db.query(
      `select stored.key from service.stored_objects as stored
       join service.uploads as upload on upload.key = stored.upload_key
       where upload.field = 'cover' and not stored.is_private`,
    );
  const fields = [{ resource: "documents", field: "cover", isPrivate: true }];
  const moving = startMoving(services, fields, { first: 0, untilDone: 5, afterwards: 5 });
  try {
    for (const _ of ["at first", "later"]) {
      await db.query("update service.stored_objects set is_private = false where key = $1", [
        cover.key,
      ]);
      await expect.poll(misplaced).toEqual([]);
    }
  } finally {
    await moving.close();
  }
});

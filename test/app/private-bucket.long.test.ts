import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { GetObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../runtime/clock/index.js";
import { newLog } from "../../runtime/own-code/index.js";
import type { FileDetails } from "../../runtime/uploads/index.js";
import { moveFiles } from "../../runtime/uploads/move/move.js";
import { countMisplaced } from "../../runtime/uploads/move/store.js";
import { reprocessUploads } from "../../runtime/uploads/reprocess/reprocess.js";
import { readAppFile } from "../../runtime/uploads/serve/read-app-file.js";
import { openFileStores } from "../../runtime/uploads/storage/open.js";
import type { Storage } from "../../runtime/uploads/storage/storage.js";
import { block } from "../docs/pages.js";
import { objectsIn } from "../runtime/uploads/places.js";
import { bare, fetchFile, privateSettings, startPrivateApp } from "../support/apps/private-app.js";
import type { WrittenApp } from "../support/apps/written-app.js";
import type { Client } from "../support/http/client.js";
import { openDocument } from "../support/openapi/document.js";
import { upload } from "../support/storage/files.js";
import {
  hasSwift,
  newBucket,
  type S3Server,
  startS3Server,
  storageSettings,
} from "../support/storage/s3.js";
import { pdf, pixel, uploaded } from "../support/storage/stored.js";

describe.skipIf(!hasSwift)("private files in a bucket", () => {
  let server: S3Server;
  let bucket: S3Client;
  let app: WrittenApp;
  let storage: Storage;
  let ada: Client;
  let paper: FileDetails;
  let scan: FileDetails;
  let cover: FileDetails;

  beforeAll(async () => {
    server = await startS3Server();
    ({ client: bucket } = await newBucket(server, "private"));
    const settings = `${privateSettings}uploads:
  private_redirect: true
${storageSettings(server, "private")}    public_url: ${server.endpoint}/private
`;
    app = await startPrivateApp({}, { settings });
    ({ storage } = openFileStores(app.config.uploads));
    ada = (await app.caller(null)).client;
    paper = await uploaded(ada, "documents/paper", "paper.pdf");
    scan = await uploaded(ada, "documents/scan", "scan.png");
    cover = await uploaded(ada, "documents/cover", "cover.png");
    // The server looks for misplaced files a second after its start, and these tests misplace some.
    await sleep(3_000);
  });
  afterAll(async () => {
    await storage.close();
    await app.close();
    bucket.destroy();
    await server.close();
  });

  const objects = () => objectsIn(bucket, "private");
  const follow = (location: unknown, init?: RequestInit) => fetch(String(location), init);

  const move = (field: string, isPrivate: boolean, db = app.db) =>
    moveFiles(
      { config: app.config, db, storage },
      [{ resource: "documents", field, isPrivate }],
      new AbortController().signal,
    );

  test("are below private/, and never at the public address", async () => {
    expect(await objects()).toEqual(
      [
        cover.key,
        `private/${paper.key}`,
        `private/${scan.key}`,
        `private/${scan.key.replace(/webp$/, "thumb.webp")}`,
      ].sort(),
    );
    expect(cover.url).toBe(`${server.endpoint}/private/${cover.key}`);
    const [statement = ""] = block("docs/files", "Move files").split(";");
    const rows = await app.db.query<{ key: string }>(statement);
    expect(rows.map(({ key }) => `private/${key}`).sort()).toEqual(
      (await objects()).filter((key) => key.startsWith("private/")),
    );
    expect(paper.url).toMatch(/^\/api\/_service\/files\/documents\/paper\//);
  });

  test("are redirected to the bucket for as long as the signature is valid", async () => {
    const { status, headers } = await fetchFile(app, paper.url);
    expect(status).toBe(302);
    expect(headers["cache-control"]).toMatch(/^private, max-age=\d+$/);
    const [, seconds = ""] = /X-Amz-Expires=(\d+)/.exec(String(headers.location)) ?? [];
    expect(headers["cache-control"]).toBe(`private, max-age=${seconds}`);
    const file = await follow(headers.location);
    expect(file.status).toBe(200);
    expect(Buffer.from(await file.arrayBuffer()).equals(pdf)).toBe(true);
    expect(file.headers.get("content-type")).toBe("application/pdf");
    const head = await fetchFile(app, scan.renditions.thumb?.url ?? "", { method: "HEAD" });
    expect(head.status).toBe(302);
    expect((await follow(head.headers.location, { method: "HEAD" })).status).toBe(200);
    expect((await follow(String(headers.location).split("?")[0])).ok).toBe(false);
    expect((await fetchFile(app, bare(paper.url))).status).toBe(404);
  });

  test("are returned as the OpenAPI document describes", async () => {
    const document = openDocument(readFileSync(join(app.root, "generated/openapi.json"), "utf8"));
    const answers = [paper.url, `${paper.url}&redirect=false`, bare(paper.url)];
    const found = await Promise.all(answers.map((url) => fetchFile(app, url)));
    expect(found.map(({ status }) => status)).toEqual([302, 200, 404]);
    const operation = document.find("GET", bare(paper.url).slice("/api".length));
    if (operation === undefined) throw new Error("no operation");
    for (const { status, headers, bytes } of found) {
      const body = status === 404 ? JSON.parse(bytes.toString()) : bytes.length > 0 || null;
      const answer = { status, contentType: String(headers["content-type"]), body };
      expect(document.mistake(operation, answer)).toBeNull();
      const described = operation.value.responses[status]?.headers;
      expect(Object.keys(described ?? {}).includes("Location")).toBe("location" in headers);
    }
  });

  test("are sent by this server if the page requests it", async () => {
    const { status, bytes } = await fetchFile(app, `${paper.url}&redirect=false`);
    expect([status, bytes.equals(pdf)]).toEqual([200, true]);
  });

  test("are moved when their field becomes private or public, through any interruption", async () => {
    const services = { config: app.config, db: app.db, storage };
    const field = { resource: "documents", field: "cover" };
    const shut = [{ ...field, isPrivate: true }];
    const open = [{ ...field, isPrivate: false }];
    const { signal } = new AbortController();
    const record = await ada.post<{ id: string }>("/documents", { cover: cover.key });
    const shownUrl = async () => {
      const { body } = await ada.get<{ coverFile: FileDetails }>(`/documents/${record.body.id}`);
      return body.coverFile.url;
    };
    expect(await countMisplaced(app.db, shut)).toBe(1);
    const failing: Storage = {
      ...storage,
      remove: async () => {
        throw new Error("the machine has lost its power");
      },
    };
    await expect(moveFiles({ ...services, storage: failing }, shut, signal)).rejects.toThrow();
    expect(await objects()).toEqual(expect.arrayContaining([cover.key, `private/${cover.key}`]));
    expect(await countMisplaced(app.db, shut)).toBe(1);
    expect(await moveFiles(services, shut, signal)).toBe(1);
    expect(await countMisplaced(app.db, shut)).toBe(0);
    expect(await objects()).not.toContain(cover.key);
    const moved = await bucket.send(
      new GetObjectCommand({ Bucket: "private", Key: `private/${cover.key}` }),
    );
    expect(moved.CacheControl).toBe("private, no-cache");
    // The server still takes the field for a public one, and serves it from where it is.
    expect(await shownUrl()).toBe(`/api/_service/files/${cover.key}`);
    expect((await fetchFile(app, await shownUrl())).status).toBe(200);
    expect(await moveFiles(services, open, signal)).toBe(1);
    expect(await objects()).not.toContain(`private/${cover.key}`);
    expect(await shownUrl()).toBe(cover.url);
    expect(await moveFiles(services, open, signal)).toBe(0);
  });

  test("are at the public address again if their field was private for a while, despite any failure meanwhile", async () => {
    const urlNow = async () => {
      const [row] = await app.db.query<{ url: string }>(
        "select details->>'url' as url from service.uploads where key = $1",
        [paper.key],
      );
      return row?.url;
    };
    const publicUrl = `${server.endpoint}/private/${paper.key}`;
    /** The database, which is lost after so many statements. */
    const lostAfter = (statements: number): typeof app.db => {
      let left = statements;
      return {
        ...app.db,
        query: async (...statement: Parameters<typeof app.db.query>) => {
          left -= 1;
          if (left < 0) throw new Error("the machine has lost its power");
          return app.db.query(...statement);
        },
      } as typeof app.db;
    };
    const tryTo = async (isPrivate: boolean, statements: number) => {
      const db = lostAfter(statements);
      await move("paper", isPrivate, db).catch(() => {});
    };
    await move("paper", false);
    expect(await urlNow()).toBe(publicUrl);
    for (const statements of [0, 1, 2, 3, 4, 5]) {
      await tryTo(true, statements);
      await move("paper", false);
      expect(await urlNow(), `private, ${statements}`).toBe(publicUrl);
      await move("paper", true);
      expect(await urlNow()).toBe(`/api/_service/files/${paper.key}`);
      await tryTo(false, statements);
      await move("paper", false);
      expect(await urlNow(), `public, ${statements}`).toBe(publicUrl);
      expect(await move("paper", false)).toBe(0);
    }
    expect(await objects()).not.toContain(`private/${paper.key}`);
    await move("paper", true);
  });

  test("are read and rebuilt by app code while they are moved", async () => {
    const log = newLog({ logLevel: "silent" });
    const services = { config: app.config, db: app.db, storage, log };
    /** The storage, where the files of the field move between the look-up and the first read. */
    const moving = (field: string, isPrivate: boolean): Storage => {
      let isMoved = false;
      return {
        ...storage,
        read: async (...wanted) => {
          if (!isMoved) await move(field, isPrivate);
          isMoved = true;
          return storage.read(...wanted);
        },
      };
    };
    const own = await readAppFile({ ...services, storage: moving("paper", false) }, paper.key);
    expect(own === null ? null : await buffer(own.stream)).toEqual(pdf);
    expect(await move("paper", true)).toBe(1);
    const { product } = app.config.uploads.profiles;
    if (product === undefined) throw new Error("no profile");
    const profile = {
      ...product,
      name: "product",
      renditions: { thumb: { width: 30, height: 30, fit: "cover" } },
    } as const;
    const { spool } = openFileStores(app.config.uploads);
    const outcome = await reprocessUploads(
      { ...services, clock: systemClock, spool, storage: moving("scan", false) },
      [{ resource: "documents", field: "scan", profile }],
      () => {},
    );
    expect(outcome).toEqual({ done: 1, missing: [], unreadable: [] });
    await move("scan", true);
  });

  test("are sent by this server until they are moved", async () => {
    await move("paper", false);
    const { status, bytes } = await fetchFile(app, paper.url);
    expect([status, bytes.equals(pdf)]).toEqual([200, true]);
    await move("paper", true);
    expect((await fetchFile(app, paper.url)).status).toBe(302);
  });

  test("are redirected to the bucket even if the client has a copy, as the bucket sets the tags", async () => {
    const { headers } = await fetchFile(app, `${paper.url}&redirect=false`);
    const { etag = "" } = headers;
    const sent = { headers: { "if-none-match": String(etag) } };
    expect((await fetchFile(app, `${paper.url}&redirect=false`, sent)).status).toBe(304);
    const redirected = await fetchFile(app, paper.url, sent);
    expect([redirected.status, redirected.headers.etag]).toEqual([302, undefined]);
  });

  test("of any kind are stored as downloads, private or not", async () => {
    const late = Buffer.concat([Buffer.alloc(100_000, "a"), Buffer.from([0xff])]);
    const files = [
      ["page.html", Buffer.from("<script>alert(1)</script>"), "application/octet-stream"],
      ["late.txt", late, "application/octet-stream"],
      ["scan.png", pixel, "image/png"],
    ] as const;
    for (const [name, bytes, type] of files) {
      const { body } = await upload(ada, "letters/raw", name, bytes);
      expect(body.url).toBe(`${server.endpoint}/private/${body.key}`);
      for (const isPrivate of [true, false]) {
        await moveFiles(
          { config: app.config, db: app.db, storage },
          [{ resource: "letters", field: "raw", isPrivate, isAttachment: true }],
          new AbortController().signal,
        );
        const found = await bucket.send(
          new GetObjectCommand({
            Bucket: "private",
            Key: isPrivate ? `private/${body.key}` : body.key,
          }),
        );
        expect(found.ContentType).toBe(type);
        expect(found.ContentDisposition).toMatch(/^attachment;/);
        expect((await buffer(found.Body as Readable)).equals(bytes)).toBe(true);
      }
    }
  });

  test("doctor detects whether strangers can read them", async () => {
    const before = await objects();
    expect(await storage.exposedAt()).toBeNull();
    const careless = createServer((_, response) => response.end("anything"));
    await new Promise<void>((resolve) => careless.listen(0, "127.0.0.1", resolve));
    const { port } = careless.address() as AddressInfo;
    const publicUrl = `http://127.0.0.1:${port}`;
    const { uploads } = app.config;
    if (uploads.storage.driver !== "s3") throw new Error("no bucket");
    const open = openFileStores({ ...uploads, storage: { ...uploads.storage, publicUrl } });
    try {
      expect(await open.storage.exposedAt()).toBe(`${publicUrl}/`);
    } finally {
      await open.storage.close();
      careless.close();
    }
    expect(await objects()).toEqual(before);
  });
});

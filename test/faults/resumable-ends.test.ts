import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../runtime/clock/index.js";
import { type Database, openDatabase } from "../../runtime/db/index.js";
import { pruneUploads } from "../../runtime/uploads/prune/prune.js";
import { openDisk } from "../../runtime/uploads/storage/disk.js";
import { expectRefusal } from "../support/apps/shop.js";
import {
  begin,
  begun,
  offsetOf,
  openPatch,
  patch,
  stateOf,
  terminate,
} from "../support/http/tus.js";
import { openHost, type ShopHost, type ShopServer } from "../support/processes/shop-process.js";
import { filesBelow } from "../support/storage/files.js";
import { canMount, mountSmallDisk, type SmallDisk } from "../support/storage/small-disk.js";

const mebibyte = 1_048_576;
const manuals = "products/manual";
const settings = `server: { drain_seconds: "\${DRAIN_SECONDS:-25}" }
uploads: { resumable: { max_bytes: 100000000 } }
`;
const bytes = Buffer.alloc(12 * mebibyte, "x");
bytes.write("%PDF-1.7\n");

describe("an upload", () => {
  let host: ShopHost;
  let db: Database;
  let one: ShopServer;
  let other: ShopServer;
  beforeAll(async () => {
    host = await openHost(settings);
    db = openDatabase({ url: host.databaseUrl, poolSize: 1, prepare: true });
    one = await host.serve();
    other = await host.serve();
  });
  afterAll(async () => {
    await db.close();
    await host.close();
  });

  async function hung(server: ShopServer, path: string) {
    const sending = openPatch(server.url, server.token, path, 0, bytes.length);
    await sending.send(bytes.subarray(0, 3 * mebibyte + 5));
    await expect.poll(async () => (await stateOf(other.admin, path)).offset).toBe(3 * mebibyte);
    return sending;
  }

  test("continues at another server when its own is stopped, with every received byte", async () => {
    const path = await begun(one.admin, manuals, "stopped.pdf", bytes.length);
    const stopped = await host.serve({ DRAIN_SECONDS: "0" });
    await hung(stopped, path);
    stopped.process.kill("SIGTERM");
    await expect.poll(() => offsetOf(other.admin, path)).toBe(3 * mebibyte + 5);
    await stopped.process;
    const rest = bytes.subarray(3 * mebibyte + 5);
    expect((await patch(other.admin, path, 3 * mebibyte + 5, rest)).status).toBe(200);
  });

  test("continues at another server when its own is killed, with every received mebibyte", async () => {
    const killed = await host.serve();
    const path = await begun(one.admin, manuals, "killed.pdf", bytes.length);
    await hung(killed, path);
    killed.process.kill("SIGKILL");
    await killed.process;
    expect(await offsetOf(other.admin, path)).toBe(3 * mebibyte);
    const rest = bytes.subarray(3 * mebibyte);
    expect((await patch(one.admin, path, 3 * mebibyte, rest)).status).toBe(200);
  });

  test("is not written to by a suspended process after another took over", async () => {
    const asleep = await host.serve();
    const path = await begun(one.admin, manuals, "asleep.pdf", bytes.length);
    const sending = await hung(asleep, path);
    asleep.process.kill("SIGSTOP");
    const at = await offsetOf(other.admin, path);
    expect(at).toBe(3 * mebibyte);
    // What it has not read yet waits for it.
    await Promise.race([sending.send(Buffer.alloc(mebibyte, "y")), Promise.resolve()]);
    expect((await patch(one.admin, path, at, bytes.subarray(at, 6 * mebibyte))).status).toBe(204);
    asleep.process.kill("SIGCONT");
    expect((await sending.answer)?.status ?? 409).toBe(409);
    const { status, body } = await patch(
      one.admin,
      path,
      6 * mebibyte,
      bytes.subarray(6 * mebibyte),
    );
    expect(status).toBe(200);
    const { url } = body as { url: string };
    const answer = await fetch(one.url + url);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test("holds no connection to the database while its bytes come", async () => {
    const paths = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        begun(one.admin, manuals, `open-${at}.pdf`, bytes.length),
      ),
    );
    await Promise.all(paths.map((path) => hung(one, path)));
    // A process has ten connections.
    const lists = await Promise.all(Array.from({ length: 20 }, () => one.admin.get("/products")));
    expect(new Set(lists.map(({ status }) => status))).toEqual(new Set([200]));
    const held = await db.query(
      `select query from pg_stat_activity
       where state like 'idle in transaction%' and backend_type = 'client backend'`,
    );
    expect(held).toEqual([]);
    for (const path of paths) expect((await terminate(other.admin, path)).status).toBe(204);
  });

  test("that has expired no longer exists, and pruning removes its bytes", async () => {
    const before = filesBelow(join(host.root, "storage"));
    const path = await begun(one.admin, manuals, "late.pdf", bytes.length);
    expect((await patch(one.admin, path, 0, bytes.subarray(0, 10))).status).toBe(204);
    expect(filesBelow(join(host.root, "storage"))).not.toEqual(before);
    await db.query("update service.resumable_uploads set expires_at = now() - interval '1 s'");
    for (const method of ["GET", "HEAD", "PATCH", "DELETE"]) {
      const headers = {
        "tus-resumable": "1.0.0",
        ...(method === "PATCH" && {
          "content-type": "application/offset+octet-stream",
          "upload-offset": "10",
        }),
      };
      expect((await one.admin.send(method, path, { headers })).status, method).toBe(404);
    }
    const storage = openDisk(join(host.root, "storage"));
    await pruneUploads({ db, storage, clock: systemClock });
    expect(await db.query("select id from service.resumable_uploads")).toEqual([]);
    expect(filesBelow(join(host.root, "storage"))).toEqual(before);
  });

  test("beyond a hundred open ones of an account is 429", async () => {
    await db.query("delete from service.resumable_uploads");
    const all = await Promise.all(
      Array.from({ length: 110 }, (_, at) =>
        begin(at % 2 === 0 ? one.admin : other.admin, manuals, "a.pdf", 100),
      ),
    );
    expect(all.filter(({ status }) => status === 201)).toHaveLength(100);
    for (const reply of all.filter(({ status }) => status !== 201)) expectRefusal(reply, 429);
  });
});

test("without the key does not exist: every path is 404", async () => {
  const host = await openHost();
  try {
    const { admin } = await host.serve();
    const path = `/_service/uploads/${manuals}/resumable`;
    expectRefusal(await begin(admin, manuals, "a.pdf", 100), 404);
    for (const method of ["OPTIONS", "POST", "HEAD", "GET", "PATCH", "DELETE"]) {
      for (const one of [path, `${path}/019ab000-0000-7000-8000-000000000000`]) {
        expect((await admin.send(method, one)).status, `${method} ${one}`).toBe(404);
      }
    }
    const { headers } = await admin.get("/_service/resources");
    expect(headers["tus-max-size"]).toBeUndefined();
  } finally {
    await host.close();
  }
});

const mayMount = canMount();
if (!mayMount) process.stderr.write("no disk can be mounted: that of full ones is skipped\n");

describe.skipIf(!mayMount)("on a full disk", () => {
  let host: ShopHost;
  let disk: SmallDisk;
  beforeAll(async () => {
    host = await openHost(settings);
    mkdirSync(join(host.root, "storage"), { recursive: true });
    disk = mountSmallDisk(join(host.root, "storage"), 24);
  });
  afterAll(async () => {
    disk.close();
    await host.close();
  });

  test("an upload is 507, stays open, and continues once there is room", async () => {
    const { admin } = await host.serve();
    const path = await begun(admin, manuals, "full.pdf", bytes.length);
    const start = bytes.subarray(0, 2 * mebibyte);
    expect((await patch(admin, path, 0, start)).status).toBe(204);
    disk.fill();
    const reply = await patch(admin, path, start.length, bytes.subarray(start.length));
    expectRefusal(reply, 507);
    expect(reply.headers["retry-after"]).toBe("10");
    const at = await offsetOf(admin, path);
    expect((await stateOf(admin, path)).state).toBe("open");
    disk.free();
    expect((await patch(admin, path, at, bytes.subarray(at))).status).toBe(200);
  });
});

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  faultRounds,
  openUnderLoad,
  faultTimeout as timeout,
  type UnderLoad,
} from "../support/load/under-load.js";
import { canMount, mountSmallDisk, type SmallDisk } from "../support/storage/small-disk.js";

const mayMount = canMount();
if (!mayMount) process.stderr.write("no disk can be mounted: the tests of full ones are skipped\n");

describe.skipIf(!mayMount)("a disk that is full for a while, under load", () => {
  let shop: UnderLoad;
  let storage: SmallDisk;
  let data: SmallDisk;
  beforeAll(async () => {
    shop = await openUnderLoad();
    await shop.untilReady();
    const { root } = shop.host;
    const folder = join(root, "storage");
    mkdirSync(folder, { recursive: true });
    storage = mountSmallDisk(folder, 64);
    await shop.host.stopDatabase();
    data = moveToSmallDisk(root);
    await shop.host.startDatabase();
  });
  afterAll(async () => {
    await shop.host.stopDatabase();
    storage.close();
    data.close();
    await shop.close();
  });

  /** The database's files, with their owner. */
  function moveToSmallDisk(root: string): SmallDisk {
    const record = JSON.parse(readFileSync(join(root, ".service/database.json"), "utf8"));
    const folder = resolve(root, record.data);
    const { uid, gid } = statSync(folder);
    renameSync(folder, `${folder}-before`);
    mkdirSync(folder);
    const disk = mountSmallDisk(folder, 256);
    execFileSync("cp", ["-a", `${folder}-before/.`, folder]);
    execFileSync("chown", [`${uid}:${gid}`, folder]);
    execFileSync("chmod", ["700", folder]);
    execFileSync("rm", ["-r", `${folder}-before`]);
    return disk;
  }

  test("that of stored files and uploads in progress: records are written, and no file is incomplete", {
    timeout,
  }, async () => {
    const load = await shop.startLoad();
    for (let round = 0; round < faultRounds; round += 1) {
      await sleep(700);
      storage.fill();
      const before = shop.ledger.created.size;
      await sleep(2_000);
      expect(shop.ledger.created.size).toBeGreaterThan(before + 5);
      storage.free();
    }
    const { failed } = shop.ledger.phase;
    expect(failed.filter((said) => !/^PUT .*: 503 /.test(said))).toEqual([]);
    expect(failed).not.toEqual([]);
    await shop.expectNothingLost(load);
  });

  test("that of the database: acknowledged writes are kept", { timeout }, async () => {
    const load = await shop.startLoad();
    for (let round = 0; round < faultRounds; round += 1) {
      await sleep(700);
      data.fill();
      await sleep(3_000);
      data.free();
      // Without room for its log PostgreSQL ends: then somebody starts it again.
      await shop.host.stopDatabase().catch(() => {});
      await shop.host.startDatabase();
    }
    await shop.expectNothingLost(load);
  });
});

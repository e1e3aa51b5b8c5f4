import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEmbedded } from "../../bin/embedded/load.js";
import { restoreArchive } from "../../runtime/backup/index.js";
import { reportingProblems } from "../../runtime/command/backup/problem.js";
import { readConfig } from "../../runtime/config/index.js";
import { openErrorsFile } from "../../runtime/data/import/errors-file.js";
import { connectionProblem, openDatabase } from "../../runtime/db/index.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { type BackupApp, fill, openBackupApp, secret } from "../support/backup/backup-app.js";
import { canMount, mountSmallDisk, type SmallDisk } from "../support/storage/small-disk.js";

/** A restore into an app's folder and a database; `onLoad` is called before it loads what is in the archive. */
function restoring(path: string, root: string, url: string) {
  const config = readConfig({
    root,
    environment: { SERVICE_SECRET: secret },
    databaseUrl: url,
  });
  const db = openDatabase({ url, poolSize: 2, prepare: false });
  const restore = (onLoad: () => void) =>
    restoreArchive({
      isAttachment: () => false,
      ...{ config, db, path, directory: join(root, "migrations") },
      ...{ passphrase: async () => "", isReplacing: false, isDry: false },
      ...{ takesOtherSecret: false, names: new Map(), joins: [], onWarning: () => {} },
      onWork(work) {
        if (work === "load") onLoad();
        return () => {};
      },
    });
  return { db, restore };
}

describe.skipIf(!canMount())("a disk that becomes full while data are written", () => {
  let folder: string;
  let disk: SmallDisk;
  let app: BackupApp;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "full-"));
    disk = mountSmallDisk(folder, 4);
    app = await openBackupApp("migrated");
    await fill(app, 40);
  });
  afterAll(async () => {
    await app.close();
    disk.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("an export and a backup name their file, and leave the older one unchanged", async () => {
    const shop = resolve(import.meta.dirname, "../../fixtures/apps/shop");
    for (const folder of ["resources", "generated"]) {
      cpSync(join(shop, folder), join(app.root, folder), { recursive: true });
    }
    await app.db.query(
      `insert into visits (id) select gen_random_uuid() from generate_series(1, 5000)`,
    );
    for (const args of [["export", "visits", "--output"], ["backup"]]) {
      const file = join(folder, `${args[0]}.csv`);
      writeFileSync(file, "older");
      disk.fill();
      const outcome = await app.run([...args, file]);
      disk.free();
      expect(outcome, args[0]).toMatchObject({ exitCode: 1, stdout: "" });
      expect(outcome.stderr).toContain(`${file} cannot be written: ENOSPC`);
      expect(outcome.stderr).toContain("free space");
      expect(readFileSync(file, "utf8")).toBe("older");
      expect(readdirSync(folder)).toEqual([`${args[0]}.csv`]);
      rmSync(file);
    }
  });

  test("a file of refused rows ends with its last complete group", () => {
    const path = join(folder, "rows.errors.csv");
    const file = openErrorsFile({ path, columns: ["name"], size: 0, isMarked: false });
    const content = { kind: "cells", cells: ["x".repeat(10_000)] } as const;
    const after = { row: 1, line: 2, offset: 9 };
    const record = { row: 1, line: 2, after, content };
    const rows = Array.from({ length: 20 }, () => ({
      record,
      mistakes: [{ row: 1, line: 2, column: "name", message: "Too long" }],
    }));
    file.add(rows);
    const one = file.size;
    const until = () => {
      for (;;) file.add(rows);
    };
    expect(until).toThrow(`The file of refused rows ${path} cannot be written: ENOSPC`);
    expect(readFileSync(path).length).toBe(file.size);
    expect(file.size % (one - "_row,_line,_column,_message,name\n".length)).toBeLessThan(100);
    file.close();
    rmSync(path);
  });

  test("a restore names the full storage, and leaves database and storage as they were", async () => {
    const archive = join(app.root, "shop.backup");
    expect(await app.run(["backup", archive])).toMatchObject({ exitCode: 0 });
    const other = await openBackupApp("migrated");
    const storage = join(other.root, "storage");
    mkdirSync(storage);
    const small = mountSmallDisk(storage, 4);
    const { db, restore } = restoring(archive, other.root, other.url);
    const held = async () => {
      const { rows } = await other.db.query(
        `select (select count(*) from service.users) as users,
          (select count(*) from visits) as visits,
          (select count(*) from service.stored_objects) as objects`,
      );
      return rows;
    };
    try {
      const before = await held();
      await expect(reportingProblems(() => restore(small.fill))).rejects.toThrow(
        /^The file storage fails: .*ENOSPC/,
      );
      small.free();
      expect(await held()).toEqual(before);
      expect(other.files()).toEqual([]);
      const { files } = await restore(() => {});
      expect(files).toBe(other.files().length);
    } finally {
      await db.close();
      small.close();
      await other.close();
    }
  });

  test("a restore names the database's full disk, and completes once there is room", async () => {
    const archive = join(app.root, "shop.backup");
    const other = await openBackupApp("empty");
    const root = makeAppFolder();
    const small = mountSmallDisk(root, 200);
    const embedded = await startEmbedded({ root });
    const { db, restore } = restoring(archive, other.root, embedded.url);
    const held = () =>
      db.query(
        "select (select count(*) from service.users) as users, (select count(*) from visits) as visits",
      );
    try {
      const error = await restore(small.fill).catch((reason: unknown) => reason);
      expect(connectionProblem(error)).toEqual({
        message: expect.stringMatching(/^The database cannot be used: .*No space left on device/),
        hint: "make room on PostgreSQL's disk",
      });
      small.free();
      expect(await held()).toEqual([{ users: "0", visits: "0" }]);
      expect(other.files()).toEqual([]);
      const { files } = await restore(() => {});
      expect(files).toBe(other.files().length);
      expect(await held()).toEqual([{ users: "1", visits: "5000" }]);
    } finally {
      await db.close();
      await embedded.stop();
      small.close();
      removeAppFolder(root);
      await other.close();
    }
  });
});

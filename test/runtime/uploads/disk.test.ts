import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDisk } from "../../../runtime/uploads/storage/disk.js";
import { StorageError } from "../../../runtime/uploads/storage/storage.js";
import { headers, MiB, newKey, pieces, read, someBytes } from "./bytes.js";
import { contentsOf } from "./places.js";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "disk-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function mode(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

test("files are writable by the server, readable by its group, and closed to others", async () => {
  const folder = join(root, "deep", "storage");
  const key = newKey();
  await openDisk(folder).write(key, [Buffer.from("a")], headers);
  expect(readFileSync(join(folder, key), "utf8")).toBe("a");
  expect(mode(join(folder, key))).toBe("640");
  expect(mode(dirname(join(folder, key)))).toBe("750");
  expect(mode(join(dirname(join(folder, key)), ".partial"))).toBe("700");
});

test("a link in place of a file is not followed, regardless of its creator", async () => {
  const secret = join(root, "secret");
  writeFileSync(secret, "secret");
  const storage = openDisk(join(root, "storage"));
  const key = newKey();
  const path = join(root, "storage", key);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(secret, path);
  expect(await read(storage, key)).toBeNull();
  await storage.write(key, [Buffer.from("own")], headers);
  expect((await read(storage, key))?.toString()).toBe("own");
  rmSync(path);
  symlinkSync(secret, path);
  await storage.remove(key);
  expect(existsSync(path)).toBe(false);
  expect(readFileSync(secret, "utf8")).toBe("secret");
});

/** A folder of another file system than the temporary one: tests use memory where there is some. */
const otherFileSystem = ["/dev/shm", "/var/tmp", import.meta.dirname].find(
  (folder) => existsSync(folder) && statSync(folder).dev !== statSync(tmpdir()).dev,
);

describe.each([
  { name: "the same file system", below: tmpdir() },
  { name: "another file system", below: otherFileSystem },
])("a folder that is a link to $name", ({ below }) => {
  describe.skipIf(below === undefined)("of this machine", () => {
    let elsewhere: string;
    beforeEach(() => {
      elsewhere = mkdtempSync(join(below ?? "", "elsewhere-"));
    });
    afterEach(() => rmSync(elsewhere, { recursive: true }));

    test.each(["products", "products/image", "products/image/2026", "products/image/2026/01"])(
      "keeps files at %s",
      async (linked) => {
        const key = newKey();
        expect(key.startsWith("products/image/2026/01/")).toBe(true);
        mkdirSync(dirname(join(root, linked)), { recursive: true });
        symlinkSync(elsewhere, join(root, linked));
        const storage = openDisk(root);
        await storage.write(key, [Buffer.from("a")], headers);
        expect(contentsOf(elsewhere)).toHaveLength(1);
        expect((await read(storage, key))?.toString()).toBe("a");
        await storage.remove(key);
        expect(contentsOf(elsewhere)).toEqual([]);
      },
    );

    test("keeps nothing of a file that is cut short, once its key is removed", async () => {
      symlinkSync(elsewhere, join(root, "products"));
      const storage = openDisk(root);
      const [cut, other] = [newKey(), newKey()];
      let goOn = () => {};
      const paused = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      const source = async function* () {
        yield Buffer.from("a");
        await paused;
      };
      const writes = [cut, other].map((key) => storage.write(key, source(), headers));
      const outcomes = Promise.allSettled(writes);
      await expect.poll(() => contentsOf(elsewhere)).toEqual(["unfinished", "unfinished"]);
      await storage.remove(cut);
      expect(contentsOf(elsewhere)).toEqual(["unfinished"]);
      goOn();
      expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
    });
  });
});

test("a folder in place of a file is not a file", async () => {
  const storage = openDisk(root);
  const key = newKey();
  mkdirSync(join(root, key), { recursive: true });
  expect(await read(storage, key)).toBeNull();
});

test("a reader keeps what it reads while the file is removed", async () => {
  const storage = openDisk(root);
  const key = newKey();
  await storage.write(key, pieces(someBytes(MiB)), headers);
  const stream = await storage.read(key);
  await storage.remove(key);
  expect(Buffer.concat((await stream?.toArray()) ?? []).length).toBe(MiB);
});

test("a file in place of the folder cannot be stored in", async () => {
  const path = join(root, "storage");
  writeFileSync(path, "");
  const storage = openDisk(path);
  await expect(storage.write(newKey(), [], headers)).rejects.toThrow(StorageError);
  await expect(storage.check()).rejects.toThrow(StorageError);
  await expect(openDisk(join(path, "below")).check()).rejects.toThrow(StorageError);
});

test("a missing folder is left to the server", async () => {
  await openDisk(join(root, "deep", "storage")).check();
  expect(contentsOf(root)).toEqual([]);
  expect(existsSync(join(root, "deep"))).toBe(false);
});

test("a limit on the size of files leaves nothing of the file that exceeds it", async () => {
  const storage = new URL("../../../dist/runtime/uploads/storage/disk.js", import.meta.url);
  const script = `
    const { openDisk } = await import(${JSON.stringify(storage.href)});
    const bytes = Array.from({ length: 100 }, () => Buffer.alloc(65536));
    await openDisk(${JSON.stringify(root)}).write("${newKey()}", bytes, {}).catch((error) => {
      console.log(error.name + ": " + error.message);
    });`;
  const limited = ["-c", 'ulimit -f 1024; exec "$0" --input-type=module -e "$1"'];
  const { stdout } = spawnSync("bash", [...limited, process.execPath, script], {
    encoding: "utf8",
  });
  expect(stdout).toBe(
    `StorageError: files cannot be kept in ${root}: EFBIG: file too large, write\n`,
  );
  expect(contentsOf(root)).toEqual([]);
});

describe.skipIf(process.getuid?.() === 0)("a folder that is read-only", () => {
  test("is not usable", async () => {
    chmodSync(root, 0o500);
    const storage = openDisk(root);
    await expect(storage.write(newKey(), [], headers)).rejects.toThrow(/EACCES/);
    await expect(storage.check()).rejects.toThrow(/EACCES/);
    chmodSync(root, 0o700);
  });
});

/** Only root may mount, and in many containers not even root. */
function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "mount-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "tmpfs", folder]).status === 0;
  if (mounted) execFileSync("umount", [folder]);
  rmSync(folder, { recursive: true });
  return mounted;
}

describe.skipIf(!canMount())("a disk of four MiB", () => {
  beforeEach(() => {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", root]);
  });
  afterEach(() => {
    execFileSync("umount", [root]);
  });

  test("that is full keeps nothing of a file, and works again when there is room", async () => {
    const storage = openDisk(root);
    const kept = newKey();
    await storage.write(kept, pieces(someBytes(MiB)), headers);
    const write = storage.write(newKey(), pieces(someBytes(4 * MiB)), headers);
    await expect(write).rejects.toThrow(/^files cannot be kept in .*: ENOSPC/);
    expect(contentsOf(root)).toEqual([kept]);
    await storage.write(newKey(), pieces(someBytes(2 * MiB)), headers);
    expect(contentsOf(root)).toHaveLength(2);
  });

  test("that is read-only can be read", async () => {
    const storage = openDisk(root);
    const key = newKey();
    await storage.write(key, [Buffer.from("a")], headers);
    execFileSync("mount", ["-o", "remount,ro", root]);
    await expect(storage.write(newKey(), [], headers)).rejects.toThrow(/EROFS/);
    await expect(storage.remove(key)).rejects.toThrow(/EROFS/);
    await expect(storage.check()).rejects.toThrow(/EROFS/);
    expect((await read(storage, key))?.toString()).toBe("a");
  });
});

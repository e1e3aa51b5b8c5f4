import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSpool } from "../../../runtime/uploads/storage/spool.js";
import { StorageError } from "../../../runtime/uploads/storage/storage.js";
import { failingAfter, pieces, someBytes } from "./bytes.js";

let root: string;
const temporary = process.env.TMPDIR;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "spool-"));
  process.env.TMPDIR = root;
});
afterEach(() => {
  if (temporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = temporary;
  rmSync(root, { recursive: true });
});

function onDisk() {
  return openSpool({ storage: { driver: "disk", path: join(root, "storage") } });
}
function withBucket() {
  const none = { endpoint: null, publicUrl: null, accessKeyId: null, secretAccessKey: null };
  const bucket = { bucket: "files", region: "us-east-1", forcePathStyle: false };
  return openSpool({ storage: { driver: "s3", ...bucket, ...none } });
}
const ownFolder = () => join(root, `service-uploads-${process.getuid?.()}`);

describe.each([
  { name: "on disk", open: onDisk, folder: () => join(root, "storage", ".partial") },
  { name: "with a bucket", open: withBucket, folder: ownFolder },
])("a spool $name", ({ open, folder }) => {
  test("keeps a file until it is removed", async () => {
    const bytes = someBytes(200_000);
    const { path, remove } = await open().keep(pieces(bytes));
    expect(path.startsWith(`${folder()}/`)).toBe(true);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    await remove();
    await remove();
    expect(readdirSync(folder())).toEqual([]);
  });

  test("keeps nothing of a source that throws, and passes its error on", async () => {
    const broken = new Error("the client is gone");
    await expect(open().keep(failingAfter(100_000, broken))).rejects.toBe(broken);
    expect(readdirSync(folder())).toEqual([]);
  });

  test("removes files that were last written to before then", async () => {
    const spool = open();
    const old = await spool.keep(pieces(someBytes(10)));
    const young = await spool.keep(pieces(someBytes(10)));
    utimesSync(old.path, new Date(1_000), new Date(1_000));
    await spool.sweep(new Date(2_000));
    expect(existsSync(old.path)).toBe(false);
    expect(existsSync(young.path)).toBe(true);
  });

  test("has nothing to sweep before its first file, and creates nothing", async () => {
    await open().sweep(new Date());
    expect(readdirSync(root)).toEqual([]);
  });
});

test("a link in place of the temporary folder is not followed", async () => {
  const foreign = join(root, "foreign");
  mkdirSync(foreign);
  writeFileSync(join(foreign, "old"), "");
  symlinkSync(foreign, ownFolder());
  const spool = withBucket();
  await expect(spool.keep(pieces(someBytes(10)))).rejects.toThrow(
    /must be a folder owned by the server's user/,
  );
  await expect(spool.sweep(new Date(Date.now() + 60_000))).rejects.toThrow(StorageError);
  expect(readdirSync(foreign)).toEqual(["old"]);
});

test("a folder that cannot be created is the storage's failure", async () => {
  writeFileSync(join(root, "storage"), "");
  await expect(onDisk().keep(pieces(someBytes(10)))).rejects.toThrow(StorageError);
});

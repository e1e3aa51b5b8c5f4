import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findDescriptors } from "../../generator/descriptor/find.js";
import { readDescriptors } from "../../generator/descriptor/read.js";
import { resolveModel } from "../../generator/resolve/resolve.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { processorMs } from "../support/processes/processor-time.js";

let root: string;
let folder: string;
beforeEach(() => {
  root = makeAppFolder();
  folder = join(root, "resources");
  mkdirSync(folder);
});
afterEach(() => removeAppFolder(root));

const problems = () =>
  resolveModel(readDescriptors(findDescriptors(root)), []).problems.map(
    ({ file, message }) => `${file}: ${message}`,
  );

test.runIf(process.platform !== "win32")("only regular files are opened", () => {
  execFileSync("mkfifo", [join(folder, "pipe.yaml")]);
  symlinkSync("pipe.yaml", join(folder, "to-pipe.yaml"));
  symlinkSync("/dev/zero", join(folder, "zero.json"));
  mkdirSync(join(folder, "sub.yaml"));
  expect(problems()).toEqual([
    "resources/pipe.yaml: this is not a regular file",
    "resources/sub.yaml: this is a folder",
    "resources/to-pipe.yaml: this is not a regular file",
    "resources/zero.json: this is not a regular file",
  ]);
});

test("a dangling link is one problem among the others", () => {
  symlinkSync("nowhere.yaml", join(folder, "link.yaml"));
  symlinkSync("loop.yaml", join(folder, "loop.yaml"));
  writeFileSync(join(folder, "notes.yaml"), "fields: { name: { type: strin } }\n");
  writeFileSync(join(folder, "file.txt"), "");
  symlinkSync("file.txt/below.yaml", join(folder, "through.yaml"));
  expect(problems()).toEqual([
    "resources/link.yaml: this symbolic link has no target",
    "resources/loop.yaml: this symbolic link has no target",
    expect.stringMatching(/^resources\/notes\.yaml: .*strin/),
    "resources/through.yaml: this symbolic link has no target",
  ]);
});

test("a link to a descriptor is a descriptor, under its own name", () => {
  writeFileSync(join(root, "shared.txt"), "fields: { name: { type: string } }\n");
  symlinkSync("../shared.txt", join(folder, "notes.yaml"));
  const { model } = resolveModel(readDescriptors(findDescriptors(root)), []);
  expect(model?.resources.map(({ name }) => name)).toEqual(["notes"]);
});

test("a descriptor has at most 1 MB", async () => {
  const padded = (bytes: number) => "fields: {}\n".padEnd(bytes, "#");
  writeFileSync(join(folder, "fits.yaml"), padded(1_048_576));
  expect(problems()).toEqual([]);
  writeFileSync(join(folder, "large.yaml"), padded(11_534_336));
  const spent = await processorMs(() => {
    expect(problems()).toEqual([
      "resources/large.yaml: this descriptor is 11.0 MB, and the limit is 1 MB",
    ]);
  });
  expect(spent).toBeLessThan(2000);
});

test("descriptors in subfolders are reported, and links to them are not unknown", () => {
  mkdirSync(join(folder, "sub/deeper"), { recursive: true });
  mkdirSync(join(folder, ".git"));
  writeFileSync(join(folder, "sub/deeper/orders.yaml"), "fields: {}\n");
  writeFileSync(join(folder, "sub/notes.txt"), "");
  writeFileSync(join(folder, ".git/x.yaml"), "");
  writeFileSync(
    join(folder, "items.yaml"),
    "fields: { orderId: { type: belongsTo, resource: orders } }\n",
  );
  expect(problems()).toEqual([
    "resources/sub/deeper/orders.yaml: descriptors in folders below resources/ are not read",
  ]);
});

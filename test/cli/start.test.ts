import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { loadedBy } from "./loaded.js";
import { repository, service, starterApp } from "./service.js";

const program = join(repository, "dist/bin/service.js");

let root: string;

beforeAll(async () => {
  root = await starterApp();
});
afterAll(() => removeAppFolder(root));

describe("what a command does not need, it does not load", () => {
  test.each([[["--help"]], [["--version"]], [["generate", "--help"]]])(
    "%j loads the command line only",
    async (args) => {
      const loaded = await loadedBy([program, ...args]);
      const own = loaded.filter((name) => name.includes("/") && !name.startsWith("@"));
      expect(loaded.filter((name) => !own.includes(name))).toEqual(["commander", "picocolors"]);
      // Help lists what these allow.
      const words = ["add/function/signature", "add/route/path", "init/starters"];
      const declared = new RegExp(`^bin/commands/(?:\\w+/declare|${words.join("|")})$`);
      const others = own.filter((name) => /^bin\/commands\/|^runtime\/(?!values\/)/.test(name));
      expect(others.filter((name) => !declared.test(name))).toEqual([]);
    },
  );

  test("generate loads the parser of TypeScript to write, and no generator for nothing", async () => {
    const first = await loadedBy([program, "-C", root, "generate"]);
    const second = await loadedBy([program, "-C", root, "generate"]);
    expect(first).toEqual(expect.arrayContaining(["generator/generate", "oxc-parser"]));
    const others =
      /^generator\/(?!descriptor\/find$|output\/(?:current|unusable)$)|^runtime\/(?!values\/)/;
    expect(second.filter((name) => others.test(name))).toEqual([]);
    expect(second.filter((name) => /^(oxc-parser|yaml|zod|handlebars|pg)$/.test(name))).toEqual([]);
  });

  test("a server does not load what starts the embedded database", async () => {
    const start = `await import("service/runtime/app");`;
    const loaded = await loadedBy(["--input-type=module", "--eval", start]);
    expect(loaded).toContain("runtime/app/create-app");
    expect(loaded.filter((name) => /embedded\/(?!load$|error$)|^embedded-/.test(name))).toEqual([]);
  });

  test.each([
    ["opened", "", false],
    ["asked", "await storage.check().catch(() => {});", true],
  ])("the library of a bucket that is %s", async (_, use, isLoaded) => {
    const start = `
      const { withFileStores } = await import("./dist/runtime/uploads/index.js");
      const keys = { accessKeyId: "a", secretAccessKey: "b", endpoint: "http://127.0.0.1:9" };
      const bucket = { driver: "s3", bucket: "files", region: "us-east-1", ...keys };
      await withFileStores({ storage: bucket, maxBytes: 1 }, async ({ storage }) => {
        ${use}
      });`;
    const loaded = await loadedBy(["--input-type=module", "--eval", start]);
    expect(loaded).toContain("runtime/uploads/storage/s3");
    expect(loaded.some((name) => name.startsWith("@aws-sdk/"))).toBe(isLoaded);
  });
});

test("generate leaves every file that stays the same untouched", async () => {
  await service(root, ["generate"]);
  const before = marks();
  expect(before.size).toBeGreaterThan(8);
  const { exitCode } = await service(root, ["generate"]);
  expect(exitCode).toBe(0);
  expect(marks()).toEqual(before);
});

/** Each file's number on the disk and the time when it was last written. */
function marks(): ReadonlyMap<string, string> {
  const paths = ["generated", "migrations"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) =>
      join(root, folder, name),
    ),
  );
  return new Map(
    paths.map((path) => {
      const { ino, mtimeNs } = statSync(path, { bigint: true });
      return [path, `${ino} ${mtimeNs}`];
    }),
  );
}

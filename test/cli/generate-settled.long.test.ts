import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { service, starterApp } from "./service.js";

let root: string;
const note = ".service/generated.json";

beforeEach(async () => {
  root = await starterApp();
  mkdirSync(join(root, "web"));
  appendFileSync(join(root, "service.yaml"), "\nclient: web\n");
  await service(root, ["generate"]);
});
afterEach(() => removeAppFolder(root));

const add = (path: string, text: string) => () => appendFileSync(join(root, path), text);
const remove = (path: string) => () => rmSync(join(root, path));

test.each([
  ["a descriptor", add("resources/tasks.yaml", "singular: Job\n"), "generated/tasks/types.ts"],
  ["the package's name", () => rename("shop"), "generated/openapi.json"],
  ["a manually edited file", add("generated/app.ts", "// mine\n"), "generated/app.ts"],
  ["a file by its removal", remove("generated/tasks/routes.ts"), "generated/tasks/routes.ts"],
  ["the record of the schema", remove("migrations/schema.json"), "migrations/schema.json"],
  ["the client's copy", add("web/client.ts", "// mine\n"), "web/client.ts"],
  ["the client's folder", add("service.yaml", "# \n"), null],
])("files are rebuilt for changes since the last run: %s", async (_, change, path) => {
  expect(JSON.parse(readFileSync(join(root, note), "utf8"))).toMatchObject({
    client: join(root, "web"),
  });
  change();
  const { exitCode, stdout } = await service(root, ["generate", "--json"]);
  expect(exitCode).toBe(0);
  const changed: { path: string }[] = JSON.parse(stdout).changes;
  if (path === null) expect(changed).toEqual([]);
  else expect(changed.map((each) => each.path)).toContain(path);
  expect((await service(root, ["generate", "--check"])).exitCode).toBe(0);
});

test.each([["no note"], ["{"], ["null"], ['{"inputs":1}']])(
  "nothing depends on the cache of the last run: %s",
  async (text) => {
    if (text === "no note") rmSync(join(root, note));
    else writeFileSync(join(root, note), text);
    const { exitCode, stdout } = await service(root, ["generate"]);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: "generated/ and migrations/ are up to date",
    });
    expect(JSON.parse(readFileSync(join(root, note), "utf8"))).toHaveProperty("outputs");
  },
);

test("--check builds everything, and records nothing", async () => {
  rmSync(join(root, note));
  expect((await service(root, ["generate", "--check"])).exitCode).toBe(0);
  expect(() => readFileSync(join(root, note))).toThrow("ENOENT");
});

test("a remark is repeated as long as it is true", async () => {
  const { stderr: first } = await service(root, ["generate", "--allow-destructive", "tasks"]);
  const { stderr: second } = await service(root, ["generate", "--allow-destructive", "tasks"]);
  expect(first).not.toBe("");
  expect(second).toBe(first);
});

function rename(name: string): void {
  const path = join(root, "package.json");
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify({ ...manifest, name }));
}

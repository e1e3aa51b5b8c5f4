import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { service } from "./service.js";

let root: string;
beforeEach(() => {
  root = makeAppFolder();
  mkdirSync(join(root, "app/resources"), { recursive: true });
  writeFileSync(join(root, "app/resources/products.yaml"), "fields: { name: { type: string } }\n");
  writeFileSync(join(root, "app/service.yaml"), "client: ../web/api\n");
});
afterEach(() => removeAppFolder(root));

function text(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function generate(...options: string[]) {
  return service(join(root, "app"), ["generate", ...options]);
}

test("the folder of service.yaml gets the client too, and --check compares it there", async () => {
  expect((await generate()).exitCode).toBe(0);
  expect(text("web/api/client.ts")).toBe(text("app/generated/client.ts"));
  expect((await generate("--check")).exitCode).toBe(0);
  writeFileSync(join(root, "web/api/client.ts"), `${text("web/api/client.ts")}// mine\n`);
  const checked = await generate("--check");
  expect(checked.exitCode).toBe(1);
  expect(checked.stderr).toContain("../web/api/client.ts");
  expect((await generate()).exitCode).toBe(0);
  expect(text("web/api/client.ts")).toBe(text("app/generated/client.ts"));
});

test("--client takes the place of the setting", async () => {
  expect((await generate("--client", join(root, "other"))).exitCode).toBe(0);
  expect(text("other/client.ts")).toBe(text("app/generated/client.ts"));
});

test("a file that the tool did not write is kept, and nothing is written", async () => {
  mkdirSync(join(root, "web/api"), { recursive: true });
  writeFileSync(join(root, "web/api/client.ts"), "export const mine = 1;\n");
  const { exitCode, stderr } = await generate();
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    "../web/api/client.ts:1:1: there is a file that this command did not write",
  );
  expect(text("web/api/client.ts")).toBe("export const mine = 1;\n");
  expect(() => text("app/generated/client.ts")).toThrow();
});

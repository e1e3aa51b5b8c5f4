import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { service } from "./service.js";

let root: string;

beforeEach(() => {
  root = makeAppFolder();
});
afterEach(() => removeAppFolder(root));

const resources = {
  shop: ["categories.yaml", "order-items.yaml", "orders.yaml", "products.yaml"],
  notes: ["notebooks.yaml", "notes.yaml"],
  blank: [],
};

test.each(Object.entries(resources))(
  "init --template %s writes descriptors that generate accepts",
  async (template, descriptors) => {
    const written = await service(root, ["init", ".", "--template", template]);
    expect([written.exitCode, written.stderr]).toEqual([0, ""]);
    const found = readdirSync(root).includes("resources")
      ? readdirSync(join(root, "resources"))
      : [];
    expect(found.sort()).toEqual(descriptors);
    const generated = await service(root, ["generate", "--json"]);
    expect(JSON.parse(generated.stdout).problems).toEqual([]);
    const again = await service(root, ["init", ".", "--template", template]);
    expect(again.stdout).toContain("is already a complete app; nothing was changed");
  },
);

test("another template is a usage error, and writes nothing", async () => {
  const { exitCode, stderr } = await service(root, ["init", "app", "--template", "blog"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("Allowed choices are shop, notes, blank");
  expect(readdirSync(root)).toEqual([]);
});

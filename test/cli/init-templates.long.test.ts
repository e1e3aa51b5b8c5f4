import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { linkPackages } from "../support/apps/link-packages.js";
import { plain, service } from "./service.js";

vi.setConfig({ testTimeout: 180_000 });

let root: string;

beforeEach(() => {
  root = makeAppFolder();
});
afterEach(() => removeAppFolder(root));

test.each([["shop"], ["notes"], ["blank"]])(
  "the test of an app of init --template %s passes, its examples uncommented",
  async (template) => {
    await service(root, ["init", ".", "--template", template]);
    await service(root, ["generate"]);
    linkPackages(root, [".bin", "@types", "express"]);
    const server = join(root, "server.ts");
    const examples = readFileSync(server, "utf8").replace(/^( *)\/\/ (?!Your own code)/gm, "$1");
    writeFileSync(server, examples);
    const env = { ...plain, DATABASE_URL: inject("postgresUrl") };
    const options = { cwd: root, env, all: true, reject: false } as const;
    const { exitCode, all } = await execa("npm", ["test"], options);
    expect(all).toMatch(/pass 1\n/);
    expect(exitCode).toBe(0);
  },
);

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { plain, repository, service } from "./service.js";

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
    mkdirSync(join(root, "node_modules"));
    for (const name of [".bin", "@types", "express"]) {
      symlinkSync(join(repository, "node_modules", name), join(root, "node_modules", name));
    }
    symlinkSync(repository, join(root, "node_modules/service"));
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

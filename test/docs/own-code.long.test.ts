import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { generatedApp, repository } from "../cli/service.js";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { localTools } from "../support/processes/tools.js";
import { block } from "./pages.js";

// `start.long.test.ts` also runs each of them.

let root: string;
beforeAll(async () => {
  root = await generatedApp();
  for (const name of ["jose", "zod"]) {
    symlinkSync(join(repository, "node_modules", name), join(root, "node_modules", name));
  }
});
afterAll(() => removeAppFolder(root));

test("every server.ts of the pages compiles in the starter app, and so does the starter's, uncommented", async () => {
  const starter = readFileSync(join(root, "server.ts"), "utf8");
  const commented = /^( *)\/\/ (?!Your own code)/gm;
  expect(starter.match(commented)).toHaveLength(18);
  const servers = [
    starter.replace(commented, "$1"),
    block("README", "App code"),
    block("docs/own-code", "Hooks"),
    block("docs/own-code", "App code: hooks, policies, routes"),
    block("docs/own-code", "Custom sign-in"),
    block("docs/dashboard", "In your server"),
    block("docs/agents", "Custom tools"),
    block("docs/public", "Forms", 2),
    block("docs/public", "Guests", 2),
  ];
  for (const [at, text] of servers.entries()) writeFileSync(join(root, `server-${at}.ts`), text);
  // As `service dev` compiles them.
  const unused = ["--noUnusedLocals", "false", "--noUnusedParameters", "false"];
  const options = { ...localTools, cwd: root, reject: false } as const;
  expect(await execa("tsc", ["--noEmit", ...unused], options)).toMatchObject({
    stdout: "",
    exitCode: 0,
  });
});

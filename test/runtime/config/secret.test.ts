import { chownSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import { afterAll, expect, test } from "vitest";
import { readConfig } from "../../../runtime/config/index.js";
import { appFolder, databaseUrl, problemsOf, removeFolders } from "./folder.js";

afterAll(removeFolders);

test("the development secret is created once, for its owner only, and kept", () => {
  const root = appFolder({ "service.yaml": "" });
  const first = readConfig({ root, environment: {}, databaseUrl }).secret;
  const second = readConfig({ root, environment: {}, databaseUrl }).secret;
  expect(first).toHaveLength(32);
  expect(second).toEqual(first);
  expect(statSync(join(root, ".service/secret")).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(root, ".service"))).toEqual(["secret"]);
});

test.skipIf(process.getuid?.() !== 0)("root creates it for the owner of the folder", () => {
  const root = appFolder({ "service.yaml": "" });
  chownSync(root, 1234, 1234);
  readConfig({ root, environment: {}, databaseUrl });
  for (const path of [".service", ".service/secret"]) {
    const { uid, gid } = statSync(join(root, path));
    expect({ uid, gid }).toEqual({ uid: 1234, gid: 1234 });
  }
});

test("no secret is created if one is set", () => {
  const root = appFolder({ "service.yaml": "" });
  readConfig({ root, environment: { SERVICE_SECRET: "x".repeat(32) }, databaseUrl });
  expect(readdirSync(root)).toEqual(["service.yaml"]);
});

test("concurrent starts read the same secret", async () => {
  const root = appFolder({ "service.yaml": "" });
  const program = builtSecret;
  const script = `
    const { developmentSecret } = await import(${JSON.stringify(program)});
    process.stdout.write(developmentSecret(${JSON.stringify(root)}).toString("base64url"));
  `;
  const starts = Array.from({ length: 8 }, () =>
    execa(process.execPath, ["--input-type=module", "--eval", script]),
  );
  const secrets = (await Promise.all(starts)).map(({ stdout }) => stdout);
  const kept = readFileSync(join(root, ".service/secret"), "utf8").trim();
  expect(new Set(secrets)).toEqual(new Set([kept]));
  expect(readdirSync(join(root, ".service"))).toEqual(["secret"]);
});

test.each([
  [{ ".service/secret": "c2hvcnQ\n" }, "The development secret is damaged"],
  [{ ".service": "" }, "The development secret cannot be stored (ENOTDIR)"],
])("refuses a place that cannot store a secret: %j", (files, message) => {
  const root = appFolder({ "service.yaml": "", ...files });
  expect(problemsOf({ root, environment: {}, databaseUrl })).toEqual([
    {
      file: ".service/secret",
      line: 1,
      column: 1,
      message,
      hint: "delete the file and start again, or set SERVICE_SECRET",
    },
  ]);
});

/** The secret's built module, for processes of their own. */
const builtSecret = pathToFileURL(
  resolve(import.meta.dirname, "../../../dist/runtime/config/environment/secret.js"),
).href;

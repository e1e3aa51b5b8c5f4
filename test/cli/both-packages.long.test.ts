import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, expect, test } from "vitest";
import { plain, repository } from "./service.js";

const places = { "service-cli": repository, "service-runtime": join(repository, "runtime") };
type Package = keyof typeof places;

/** Within the checkout, whose libraries both packages then find. */
let folder: string;
let app: string;

beforeEach(() => {
  folder = mkdtempSync(join(repository, ".both-"));
  app = join(folder, "app");
  mkdirSync(app);
  writeFileSync(join(app, "package.json"), '{ "name": "app" }\n');
  writeFileSync(join(app, "service.yaml"), "");
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Installs a package as npm does from the registry, in that version, without the libraries that it names. */
async function install(name: Package, version: string): Promise<void> {
  const source = join(folder, `${name}-${version}`);
  const { bin, exports, imports } = JSON.parse(
    readFileSync(join(places[name], "package.json"), "utf8"),
  );
  cpSync(join(places[name], "dist/bundle"), join(source, "dist/bundle"), { recursive: true });
  const manifest = { name, version, type: "module", bin, exports, imports };
  writeFileSync(join(source, "package.json"), JSON.stringify(manifest));
  await npm("install", "--install-links", "--offline", source);
}

function npm(...args: readonly string[]) {
  return execa("npm", [...args, "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: app });
}

/** Runs the command `service` that npm has linked. */
function run(...args: readonly string[]) {
  const env = { ...plain, DATABASE_URL: "postgres://127.0.0.1:9/app" };
  return execa("node_modules/.bin/service", args, { cwd: app, env, reject: false });
}

test.each<readonly [Package, Package]>([
  ["service-cli", "service-runtime"],
  ["service-runtime", "service-cli"],
])(
  "with %s installed before %s, and updated, the command is the complete one",
  async (first, second) => {
    for (const version of ["1.0.0", "1.0.1"]) {
      await install(first, version);
      await install(second, version);
      const { stdout, exitCode } = await run("--help");
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/^ {2}generate /m);
      expect(stdout).toMatch(/^ {2}migrate /m);
    }
  },
);

test("the runtime alone has the commands of a server, and names the package with the others", async () => {
  await install("service-runtime", "1.0.0");
  const { stdout } = await run("--help");
  expect(stdout).toMatch(/^ {2}migrate /m);
  expect(stdout).not.toMatch(/^ {2}(?:generate|dev) /m);
  for (const words of [
    ["generate"],
    ["generate", "--check"],
    ["dev"],
    ["init", "shop"],
    ["db", "reset"],
  ]) {
    const { exitCode, stderr } = await run(...words);
    const name = words[0] === "db" ? "db reset" : words[0];
    expect([exitCode, stderr]).toEqual([
      2,
      `service ${name} is a command of the package service-cli: npm install --save-dev service-cli`,
    ]);
  }
});

test("removing the development package leaves the runtime's command", async () => {
  await install("service-runtime", "1.0.0");
  await install("service-cli", "1.0.0");
  await npm("uninstall", "service-cli", "--offline");
  await install("service-runtime", "1.0.1");
  expect((await run("--help")).stdout).toMatch(/^ {2}migrate /m);
});

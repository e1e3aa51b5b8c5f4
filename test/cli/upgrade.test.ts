import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { repository, service } from "./service.js";

let root: string;

beforeEach(() => {
  root = makeAppFolder();
});
afterEach(() => removeAppFolder(root));

/** What an app of 0.5 has, by path. */
const former: Readonly<Record<string, string>> = {
  "package.json": `{
    "name": "shop",
    "dependencies": {
        "service": "file:../service",
        "express": "^5.3.0"
    },
    "scripts": { "dev": "service dev" },
    "devDependencies": { "typescript": "^7.0.2", "@types/node": "^22.0.0" }
}
`,
  "tsconfig.json": '{\n  // Ours.\n  "compilerOptions": { "types": ["service/runtime/http"] }\n}\n',
  "service.yaml":
    "# yaml-language-server: $schema=./node_modules/service/templates/schemas/service.schema.json\n",
  "resources/tasks.yaml":
    "# yaml-language-server: $schema=../node_modules/service/templates/schemas/resource.schema.json\nfields: {}\n",
  "server.ts": `import { refusal } from 'service/runtime/errors';
import type { Caller } from "service/runtime/services"; // services of ours
export * from "service/runtime/own-code";
type App = import("service/runtime/app").App;
const later = () => import("service/runtime/uploads");
console.log("service/runtime", "my service/runtime/errors", refusal, later);
`,
  "own/hooks.ts": `// import { refusal } from "service/runtime/errors"; of service/runtime/errors
export const hooks = {}; // 'service/testing' \`service/other\`
`,
  "test/server.test.ts": 'import { startTestApp } from "service/testing";\n',
  "test/plain.js": 'import "./other.js";\n',
  "generated/app.ts": 'import "service/runtime/app";\n',
  "dist/server.js": 'import "service/runtime/errors";\n',
};

const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));

/** The same files after the upgrade. */
const upgraded: Readonly<Record<string, string>> = {
  ...former,
  "package.json": `{
    "name": "shop",
    "dependencies": {
        "express": "^5.3.0",
        "service-runtime": "^${version}"
    },
    "scripts": {
        "dev": "service dev"
    },
    "devDependencies": {
        "@types/express": "^5.0.6",
        "@types/node": "^22.0.0",
        "service-cli": "^${version}",
        "typescript": "^7.0.2"
    }
}
`,
  "tsconfig.json": '{\n  // Ours.\n  "compilerOptions": { "types": ["service-runtime/http"] }\n}\n',
  "service.yaml":
    "# yaml-language-server: $schema=./node_modules/service-cli/templates/schemas/service.schema.json\n",
  "resources/tasks.yaml":
    "# yaml-language-server: $schema=../node_modules/service-cli/templates/schemas/resource.schema.json\nfields: {}\n",
  "server.ts": `import { refusal } from 'service-runtime/errors';
import type { Caller } from "service-runtime/own-code"; // services of ours
export * from "service-runtime/own-code";
type App = import("service-runtime/app").App;
const later = () => import("service-runtime/uploads");
console.log("service/runtime", "my service/runtime/errors", refusal, later);
`,
  "own/hooks.ts": `// import { refusal } from "service-runtime/errors"; of service/runtime/errors
export const hooks = {}; // 'service-cli/testing' \`service/other\`
`,
  "test/server.test.ts": 'import { startTestApp } from "service-cli/testing";\n',
};

const report = `own/hooks.ts: comments
package.json: service-runtime, and service-cli for development, instead of service
resources/tasks.yaml: the schema for editors
server.ts: 5 imports
service.yaml: the schema for editors
test/server.test.ts: 1 import
tsconfig.json: paths of modules
`;

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function written(): Readonly<Record<string, string>> {
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("/.git"))
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    paths.map((path) => [path.slice(root.length + 1), readFileSync(path, "utf8")]),
  );
}

test("upgrading an app of 0.5 adds both packages, and reports each changed file", async () => {
  write(former);
  const { exitCode, stdout } = await service(root, ["upgrade"]);
  expect(stdout).toBe(`${report}7 files changed\n  npm install\n  npx service generate`);
  expect(exitCode).toBe(0);
  expect(written()).toEqual(upgraded);
});

/** What an app has of its own, by path, as it was written for 0.5. */
function asOf05(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => /\.(?:ts|yaml)$/.test(name) && !/^(?:generated|dist|node_modules)\//.test(name),
  );
  return Object.fromEntries(
    names.map((name) => [
      name,
      readFileSync(join(folder, name), "utf8")
        .replaceAll("service-runtime/", "service/runtime/")
        .replaceAll("service-cli/testing", "service/testing")
        .replaceAll("service-cli/templates", "service/templates"),
    ]),
  );
}

test.each(["shop", "outbox", "notes", "teams"])(
  "the upgraded code of the app %s equals its present code",
  async (name) => {
    const app = join(repository, "fixtures/apps", name);
    const before = asOf05(app);
    write({ ...before, "package.json": '{ "dependencies": { "service": "0.5.0" } }\n' });
    expect((await service(root, ["upgrade"])).exitCode).toBe(0);
    const after = written();
    for (const path of Object.keys(before)) {
      expect(after[path], path).toBe(readFileSync(join(app, path), "utf8"));
    }
  },
);

test("the upgraded code of a starter does too", async () => {
  const today = join(root, "today");
  await service(root, ["init", "today"]);
  const former = asOf05(today);
  const manifest = readFileSync(join(today, "package.json"), "utf8");
  const { dependencies, devDependencies, ...others } = JSON.parse(manifest);
  const { "service-runtime": own, ...libraries } = dependencies;
  const { "service-cli": _, ...tools } = devDependencies;
  write({
    ...Object.fromEntries(Object.entries(former).map(([path, text]) => [`old/${path}`, text])),
    "old/package.json": `${JSON.stringify({ ...others, dependencies: { ...libraries, service: own }, devDependencies: tools }, null, 2)}\n`,
  });
  expect((await service(join(root, "old"), ["upgrade"])).exitCode).toBe(0);
  for (const path of [...Object.keys(former), "package.json"]) {
    const text = readFileSync(join(root, "old", path), "utf8");
    const wanted = readFileSync(join(today, path), "utf8");
    if (path === "package.json") expect(JSON.parse(text)).toEqual(JSON.parse(wanted));
    else expect(text, path).toBe(wanted);
  }
});

test("the app that 0.5.0 made names both packages, and generates", async () => {
  cpSync(join(repository, "fixtures/releases/0.5.0"), root, { recursive: true });
  write({ "package.json": '{ "type": "module", "dependencies": { "service": "0.5.0" } }\n' });
  expect((await service(root, ["upgrade"])).exitCode).toBe(0);
  const { dependencies, devDependencies } = JSON.parse(written()["package.json"] ?? "");
  expect(dependencies).toEqual({ "service-runtime": `^${version}` });
  expect(devDependencies).toMatchObject({ "service-cli": `^${version}` });
  const { exitCode, stderr } = await service(root, ["generate"]);
  expect(exitCode, stderr).toBe(0);
});

test("types of conditions are imported from the folder of their resource", async () => {
  write({
    ...upgraded,
    "resources/order-items.yaml": "fields: {}\n",
    "server.ts": `import { createApp, type TaskWhere, type Tasks } from './generated/app.js';
import type { OrderItemWhere as Where, Hooks } from "../shop/generated/app.js";
import type { OrderItemWhere } from './generated/app.js'; // items
import type { TaskWhere as Others } from "./others.js";
`,
  });
  const { exitCode, stdout } = await service(root, ["upgrade"]);
  expect([exitCode, stdout.split("\n")[0]]).toEqual([0, "server.ts: 3 imports"]);
  expect(written()["server.ts"]).toBe(`import { createApp, type Tasks } from './generated/app.js';
import type { TaskWhere } from './generated/tasks/types.js';
import type { Hooks } from "../shop/generated/app.js";
import type { OrderItemWhere as Where } from "../shop/generated/order-items/types.js";
import type { OrderItemWhere } from './generated/order-items/types.js';
import type { TaskWhere as Others } from "./others.js";
`);
});

test("a dry run reports the same, and writes nothing", async () => {
  write(former);
  const { exitCode, stdout } = await service(root, ["upgrade", "--dry-run"]);
  expect([exitCode, stdout]).toEqual([0, `${report}7 files would change; nothing was written`]);
  expect(written()).toEqual(former);
});

test("a second run changes nothing", async () => {
  write(former);
  await service(root, ["upgrade"]);
  const { exitCode, stdout } = await service(root, ["upgrade"]);
  expect([exitCode, stdout]).toEqual([0, `${root} is an app of this version; nothing was changed`]);
  expect(written()).toEqual(upgraded);
});

test("packages that are already installed keep their versions", async () => {
  write({
    "service.yaml": "",
    "package.json":
      '{ "dependencies": { "service-cli": "file:vendor/cli.tgz", "service-runtime": "file:vendor/runtime.tgz" } }',
  });
  await service(root, ["upgrade"]);
  const { dependencies, devDependencies } = JSON.parse(written()["package.json"] ?? "");
  expect(dependencies).toEqual({ "service-runtime": "file:vendor/runtime.tgz" });
  expect(devDependencies).toMatchObject({ "service-cli": "file:vendor/cli.tgz" });
});

test("uncommitted changes are named, and overwritten only with --force", async () => {
  write(former);
  const git = (...args: string[]) => execa("git", args, { cwd: root });
  await git("init", "--quiet");
  await git("add", ".");
  const identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"];
  await git(...identity, "commit", "--quiet", "--message", "An app of 0.5");
  const changed = { ...former, "server.ts": `${former["server.ts"]}// A change.\n` };
  write(changed);
  const refused = await service(root, ["upgrade"]);
  expect([refused.exitCode, refused.stderr]).toEqual([
    1,
    "There are uncommitted changes: server.ts\n  hint: commit them first, so that you see what upgrade changes, or run it with --force",
  ]);
  expect(written()).toEqual(changed);
  expect((await service(root, ["upgrade", "--force"])).exitCode).toBe(0);
  expect(written()["server.ts"]).toBe(`${upgraded["server.ts"]}// A change.\n`);
});

test("a package.json that cannot be read is refused before anything is written", async () => {
  write({ ...former, "package.json": "{" });
  const { exitCode, stderr } = await service(root, ["upgrade"]);
  expect(stderr).toMatch(/^package\.json cannot be read: /);
  expect(exitCode).toBe(1);
  expect(written()["server.ts"]).toBe(former["server.ts"]);
});

test("a folder that is not an app is refused", async () => {
  const { exitCode, stderr } = await service(root, ["upgrade"]);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("There is no service.yaml in")]);
});

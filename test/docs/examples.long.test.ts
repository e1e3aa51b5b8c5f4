import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { generatedApp, plain, repository, service } from "../cli/service.js";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { block } from "./pages.js";

/** What apps import has an example in its doc comment. */
const withExample = [
  "AppDatabase",
  "AppFiles",
  "AppJobs",
  "AppMail",
  "AppOptions",
  "AppRouteLocals",
  "GuardedRequest",
  "HookContext",
  "Job",
  "Log",
  "ResourceClient",
  "ResourceHooks",
  "ResourcePolicies",
  "ScheduleEntry",
  "Tool",
  "TransactionOptions",
  "dashboard",
  "failJob",
  "optionalToken",
  "publicRoute",
  "refusal",
  "startTestApp",
];

const example =
  / \* @example\n \* ```ts\n((?: \*.*\n)+?) \* ```\n(?: \*.*\n)*? ?\*\/\n(?:\/\/.*\n)?export (?:async )?\w+ (\w+)/g;

const examples = ["bin", "runtime"].flatMap((folder) =>
  readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.includes("dist/"))
    .flatMap((path) => {
      const text = readFileSync(join(repository, folder, path), "utf8");
      return [...text.matchAll(example)].map(([, lines = "", name = ""]) => ({
        name,
        code: lines.replaceAll(/^ \* ?/gm, ""),
      }));
    }),
);

/** Starts the app of each example, on a separate database. */
const starting = `
import { test } from "node:test";
import { startTestApp } from "service-cli/testing";

for (const name of process.env.EXAMPLES!.split(" ")) {
  test(name, async () => {
    const app = await startTestApp(() => import(\`./\${name}.js\`));
    await app.stop();
  });
}
`;

let root: string;
beforeAll(async () => {
  root = await generatedApp();
  for (const name of ["express", "zod", ".bin"]) {
    symlinkSync(join(repository, "node_modules", name), join(root, "node_modules", name));
  }
  // The forms that a guard judges.
  writeFileSync(
    join(root, "resources/messages.yaml"),
    block("docs/public", "Forms").replace("text:", "subject: { type: string }\n  text:"),
  );
  await service(root, ["generate"]);
}, 120_000);
afterAll(() => removeAppFolder(root));

test("all that apps call or implement has an example", () => {
  expect(examples.map(({ name }) => name).toSorted()).toEqual(withExample.toSorted());
});

test("each example of a doc comment compiles and starts", { timeout: 600_000 }, async () => {
  const apps = examples.filter(({ name }) => name !== "startTestApp");
  for (const { name, code } of examples) {
    // The test stops the app, and reads its tables before.
    writeFileSync(join(root, `${name}.ts`), code.replace("await app.close();\n", ""));
  }
  writeFileSync(join(root, "server.test.ts"), starting);
  const env = {
    ...plain,
    DATABASE_URL: inject("postgresUrl"),
    EXAMPLES: apps.map(({ name }) => name).join(" "),
  };
  const options = { cwd: root, env, all: true, reject: false } as const;
  const { all } = await execa("npm", ["test"], options);
  expect(all).toContain(`pass ${apps.length}\n`);
  expect(all).toContain("fail 0\n");
  expect(await execa("node", ["dist/startTestApp.js"], options)).toMatchObject({ exitCode: 0 });
});

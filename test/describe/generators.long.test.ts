import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { block } from "../docs/pages.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { withoutPrototypeNames } from "../support/openapi/prototype-names.js";

// npm installs the generators, in the versions of their lock file: 160 MB that contributors need not have.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const fixtures = resolve(import.meta.dirname, "../../fixtures");
const [installation = "", openapiTypescript = "", orval = ""] = block(
  "docs/http-api",
  "Other generators",
).split("\n");

/** What a program does with the types. */
const uses = {
  types: `import type { operations, paths } from "./api-types.js";
type Body = NonNullable<paths["/products"]["post"]["requestBody"]>["content"]["application/json"];
export const tea: Body = { name: "Tea", price: 4, categoryId: "1" };
// @ts-expect-error: a number
export const wrong: Body = { name: "Tea", price: "4", categoryId: "1" };
type Refused = operations["signAuthIn"]["responses"][401]["content"]["application/json"]["code"];
export const code: Refused = "INVALID_EMAIL_OR_PASSWORD";
`,
  functions: `import { createProduct } from "./api.js";
export const answer = await createProduct({ name: "Tea", price: 4, categoryId: "1" });
export const id: string | null = answer.status === 201 ? answer.data.id : null;
`,
};

let root: string;
beforeAll(async () => {
  root = makeAppFolder();
  for (const file of ["package.json", "package-lock.json"]) {
    cpSync(join(fixtures, "generators", file), join(root, file));
  }
  mkdirSync(join(root, "generated"));
  mkdirSync(join(root, "src"));
  await execa("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], {
    cwd: root,
  });
});
afterAll(() => removeAppFolder(root));

/** Runs a line of the page on a document, and compiles what it makes with a program that uses it. */
async function compiles(line: string, document: string, use: string): Promise<void> {
  writeFileSync(join(root, "generated/openapi.json"), document);
  writeFileSync(join(root, "src/use.ts"), use);
  await execa("bash", ["-ec", line], { cwd: root });
  const [made = ""] = /src\/\S+\.ts/.exec(line) ?? [];
  const options = "--strict --noEmit --target es2022 --module esnext --moduleResolution bundler";
  const args = [...options.split(" "), "--lib", "es2022,dom,dom.iterable", made, "src/use.ts"];
  const compiled = await execa("npx", ["tsc", ...args], { cwd: root, reject: false });
  expect(compiled.stdout).toBe("");
}

function documentOf(app: string): string {
  return readFileSync(join(fixtures, app, "generated/openapi.json"), "utf8");
}

test("the page installs what the lock file has", () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const named = installation.split(" ").filter((word) => word.includes("@"));
  expect(named).toHaveLength(Object.keys(dependencies).length);
  for (const word of named) {
    const [name = "", version = ""] = word.split("@");
    expect(dependencies[name]).toMatch(new RegExp(`^${version}\\.`));
  }
});

test("openapi-typescript makes types of the shop's document that compile", () =>
  compiles(openapiTypescript, documentOf("apps/shop"), uses.types));

// It takes a key called `constructor` for the function that every object inherits.
test("and of hostile names, except those of inherited properties", () =>
  compiles(openapiTypescript, withoutPrototypeNames(documentOf("names")), ""));

// Not of hostile names: it breaks lines in the middle of an enum's values.
test("orval makes functions of the shop's document that compile", () =>
  compiles(orval, documentOf("apps/shop"), uses.functions));

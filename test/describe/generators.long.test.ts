import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { block } from "../docs/pages.js";
import { type RunningApp, startApp } from "../support/apps/app.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { created } from "../support/apps/shop.js";
import { client } from "../support/http/client.js";
import { withoutPrototypeNames } from "../support/openapi/prototype-names.js";

// npm installs the generators, in the versions of their lock file: 160 MB that contributors need not have.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const fixtures = resolve(import.meta.dirname, "../../fixtures");
const [installation = "", openapiTypescript = "", heyApi = "", orval = ""] = block(
  "docs/http-api",
  "Other generators",
).split("\n");

/** What every program does: it prints what the server answers, and adds a passkey where there are any. */
const common = `
import { startAuthentication, startRegistration } from "@simplewebauthn/browser";
const [, , baseUrl = "", token = ""] = process.argv;
const authorization = \`Bearer \${token}\`;
declare const process: { readonly argv: readonly string[] };
console.log(JSON.stringify(await list()));
export const native: (options: Awaited<ReturnType<typeof creation>>) => PublicKeyCredentialCreationOptionsJSON | undefined = (options) => options;
`;
const query =
  '{ sort: ["-price", "name"], fields: ["name", "price"], include: ["category", "reviews"] }';

/** What a program does with what each generator makes. */
const uses = {
  types: `${common}
import createClient from "openapi-fetch";
import type { operations, paths } from "./api-types.js";
type Body = NonNullable<paths["/products"]["post"]["requestBody"]>["content"]["application/json"];
export const tea: Body = { name: "Tea", price: 4, categoryId: "1" };
// @ts-expect-error: a number
export const wrong: Body = { name: "Tea", price: "4", categoryId: "1" };
type Refused = operations["signAuthIn"]["responses"][401]["content"]["application/json"]["code"];
export const code: Refused = "INVALID_EMAIL_OR_PASSWORD";
function api() {
  return createClient<paths>({ baseUrl, headers: { authorization } });
}
async function list() {
  const { data } = await api().GET("/products", { params: { query: ${query} } });
  return data?.data.map(({ name }) => name);
}
async function creation() {
  return (await api().POST("/auth/passkeys/options", { body: {} })).data;
}
export async function addPasskey() {
  const optionsJSON = await creation();
  if (optionsJSON === undefined) return;
  const credential = await startRegistration({ optionsJSON });
  await api().POST("/auth/passkeys", { body: { credential } });
}
export async function signIn() {
  const { data: optionsJSON } = await api().POST("/auth/passkey/options", { body: {} });
  if (optionsJSON === undefined) return;
  const credential = await startAuthentication({ optionsJSON });
  await api().POST("/auth/passkey", { body: { credential } });
}
`,
  heyApi: `${common}
import { addAuthPasskey, addAuthPasskeyOptions, listProducts, passkeyAuthOptions, signAuthInWithPasskey } from "./hey-api/index.js";
async function list() {
  const { data } = await listProducts({ baseUrl, headers: { authorization }, query: ${query} });
  return data?.data.map(({ name }) => name);
}
async function creation() {
  return (await addAuthPasskeyOptions({ body: {} })).data;
}
export async function addPasskey() {
  const optionsJSON = await creation();
  if (optionsJSON === undefined) return;
  const credential = await startRegistration({ optionsJSON });
  await addAuthPasskey({ body: { credential } });
}
export async function signIn() {
  const { data: optionsJSON } = await passkeyAuthOptions({ body: {} });
  if (optionsJSON === undefined) return;
  const credential = await startAuthentication({ optionsJSON });
  await signAuthInWithPasskey({ body: { credential } });
}
`,
  functions: `${common}
import { addAuthPasskey, addAuthPasskeyOptions, createProduct, listProducts, passkeyAuthOptions, signAuthInWithPasskey } from "./api.js";
export async function create() {
  const answer = await createProduct({ name: "Tea", price: 4, categoryId: "1" });
  const id: string | null = answer.status === 201 ? answer.data.id : null;
  return id;
}
async function list() {
  const send = globalThis.fetch;
  globalThis.fetch = (path, init) => send(\`\${baseUrl}\${String(path)}\`, init);
  const answer = await listProducts(${query}, { headers: { authorization } });
  return answer.status === 200 ? answer.data.data.map(({ name }) => name) : answer;
}
async function creation() {
  const answer = await addAuthPasskeyOptions({});
  return answer.status === 200 ? answer.data : undefined;
}
export async function addPasskey() {
  const optionsJSON = await creation();
  if (optionsJSON === undefined) return;
  await addAuthPasskey({ credential: await startRegistration({ optionsJSON }) });
}
export async function signIn() {
  const answer = await passkeyAuthOptions({});
  if (answer.status !== 200) return;
  const credential = await startAuthentication({ optionsJSON: answer.data });
  await signAuthInWithPasskey({ credential });
}
`,
};

let root: string;
let shop: RunningApp;
beforeAll(async () => {
  shop = await startApp("apps/shop");
  const admin = client(shop.url, shop.token);
  const { id: categoryId } = await created(admin, "categories", { name: "Tea" });
  for (const [name, price] of [
    ["Black", 4] as const,
    ["White", 9] as const,
    ["Green", 4] as const,
  ]) {
    await created(admin, "products", { name, price, categoryId });
  }
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
afterAll(async () => {
  removeAppFolder(root);
  await shop.close();
});

/** Runs a line of the page on a document, and compiles what it makes with a program that uses it. */
async function compiles(line: string, document: string, use: string): Promise<void> {
  writeFileSync(join(root, "generated/openapi.json"), document);
  writeFileSync(join(root, "src/use.ts"), use);
  await execa("bash", ["-ec", line], { cwd: root });
  const [made = ""] = /src\/\S+\.ts/.exec(line) ?? ["src/use.ts"];
  const options = "--strict --noEmit --target es2022 --module esnext --moduleResolution bundler";
  const args = [...options.split(" "), "--lib", "es2022,dom,dom.iterable", made, "src/use.ts"];
  const compiled = await execa("npx", ["tsc", ...args], { cwd: root, reject: false });
  expect(compiled.stdout).toBe("");
}

/** What the program prints that was compiled last. */
async function printed(): Promise<unknown> {
  const bundle = "--bundle --platform=node --format=esm --outfile=use.mjs".split(" ");
  await execa("npx", ["esbuild", "src/use.ts", ...bundle], { cwd: root });
  const { stdout } = await execa("node", ["use.mjs", `${shop.url}/api`, shop.token], { cwd: root });
  return JSON.parse(stdout);
}

const byPrice = ["White", "Black", "Green"];

function documentOf(app: string): string {
  return readFileSync(join(fixtures, app, "generated/openapi.json"), "utf8");
}

test("the page installs the versions of the lock file", () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const named = installation.split(" ").filter((word) => /.@/.test(word));
  const { "@simplewebauthn/browser": _, ...generators } = dependencies;
  expect(named).toHaveLength(Object.keys(generators).length);
  for (const word of named) {
    const [, name = "", version = ""] = /^(.+)@(.+)$/.exec(word) ?? [];
    expect(generators[name]).toMatch(new RegExp(`^${version}\\.`));
  }
});

test("openapi-typescript makes types of the shop's document that compile, and openapi-fetch sends requests by them", async () => {
  await compiles(openapiTypescript, documentOf("apps/shop"), uses.types);
  expect(await printed()).toEqual(byPrice);
});

// It takes a key called `constructor` for the function that every object inherits.
test("openapi-typescript makes types of hostile names, except those of inherited properties", () =>
  compiles(openapiTypescript, withoutPrototypeNames(documentOf("names")), ""));

test("hey-api makes functions of the shop's document that compile, and send requests", async () => {
  await compiles(heyApi, documentOf("apps/shop"), uses.heyApi);
  expect(await printed()).toEqual(byPrice);
});

// Not of hostile names: it breaks lines in the middle of an enum's values.
test("orval makes functions of the shop's document that compile, and send requests", async () => {
  await compiles(orval, documentOf("apps/shop"), uses.functions);
  expect(await printed()).toEqual(byPrice);
});

import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { generate } from "../../generator/generate.js";
import { readConfig } from "../../runtime/config/index.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { newBench } from "../support/database/migrations.js";
import { block } from "./pages.js";

let root: string;

beforeEach(() => {
  root = makeAppFolder();
  mkdirSync(join(root, "resources"));
});
afterEach(() => removeAppFolder(root));

function describeResource(name: string, text: string): void {
  writeFileSync(join(root, "resources", `${name}.yaml`), text);
}

test.each([
  ["README", "A resource is one file"],
  ["docs/descriptors", "Descriptors"],
])("the descriptor of products in %s, with the resource that it links to", async (...place) => {
  describeResource("products", block(...place));
  describeResource("categories", "fields: { name: { type: string } }\n");
  const { problems, migration } = await generate({ root, name: null, profiles: [] });
  expect({ problems, migration }).toEqual({
    problems: [],
    migration: "0001_create_categories_and_1_more",
  });
});

test("lists of fields, in a descriptor that has them", async () => {
  const fields = [
    "orderId: { type: number }",
    "productId: { type: number }",
    "status: { type: enum, values: [open] }",
  ];
  describeResource(
    "items",
    `fields:\n  ${fields.join("\n  ")}\n${block("docs/descriptors", "Unique lists and indexes")}`,
  );
  expect((await generate({ root, name: null })).problems).toEqual([]);
});

test.each(["Owners", "Rules of fields", "Screens"])(
  'the descriptor below "%s"',
  async (section) => {
    describeResource("notes", block("docs/descriptors", section));
    expect((await generate({ root, name: null })).problems).toEqual([]);
  },
);

test("the descriptor of tasks, with those of teams", async () => {
  describeResource("tasks", block("docs/descriptors", "Teams"));
  describeResource("teams", "fields: { name: { type: string } }\n");
  const team = "teamId: { type: belongsTo, resource: teams, required: true }";
  describeResource("projects", `fields: { ${team} }\n`);
  const user = "userId: { type: belongsTo, resource: users, required: true }";
  const role = "role: { type: enum, values: [lead, member] }";
  const fields = [team, user, role].join("\n  ");
  describeResource("memberships", `unique: [[teamId, userId]]\nfields:\n  ${fields}\n`);
  expect((await generate({ root, name: null })).problems).toEqual([]);
});

const url = "postgres://me@127.0.0.1/shop";

test.each([
  ["docs/configuration", "Configuration"],
  ["docs/accounts", "Switches"],
  ["docs/accounts", "Several sites"],
  ["docs/dashboard", "Look"],
  ["docs/deployment", "2. Set the variables"],
  ["docs/files", "Profiles"],
  ["docs/files", "In a bucket"],
])('the settings of %s below "%s"', (...place) => {
  writeFileSync(join(root, "service.yaml"), block(...place));
  const environment = { DATABASE_URL: url, S3_KEY: "key", S3_SECRET: "secret" };
  expect(readConfig({ root, environment }).database.url).toBe(url);
});

test("the file of steps, after one that creates its table", async () => {
  const bench = await newBench();
  try {
    bench.write("0001_products", "create table products (id uuid primary key, stock bigint);");
    bench.write("0004_change_products_stock", block("docs/migrations", "Handwritten migrations"));
    const { applied } = await bench.migrate();
    expect(applied).toHaveLength(2);
    expect(
      await bench.rows(
        "select is_nullable from information_schema.columns where column_name = 'stock'",
      ),
    ).toEqual([{ is_nullable: "NO" }]);
  } finally {
    await bench.drop();
  }
});

test("the providers, with their variables of the environment", () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const variables =
    "GOOGLE_CLIENT_ID GOOGLE_CLIENT_SECRET APPLE_TEAM_ID APPLE_KEY_ID GITHUB_CLIENT_ID "
      .concat(
        "GITHUB_CLIENT_SECRET ENTRA_TENANT_ID ENTRA_CLIENT_ID ENTRA_CLIENT_SECRET ACME_CLIENT_SECRET",
      )
      .split(" ");
  const environment = {
    SERVICE_SECRET: "s".repeat(32),
    APPLE_PRIVATE_KEY: pem.replaceAll("\n", "\\n"),
    ...Object.fromEntries(variables.map((name) => [name, name])),
    ENTRA_TENANT_ID: "0b7c1f3e-1111-4222-8333-444455556666",
  };
  const headings = ["Google", "Apple", "GitHub", "Microsoft", "Any OpenID provider"];
  const found = headings.map((heading) => {
    writeFileSync(join(root, "service.yaml"), block("docs/providers", heading));
    const { auth } = readConfig({ root, environment, databaseUrl: url });
    return auth.providers.map(({ kind, title }) => `${kind} ${title}`);
  });
  expect(found).toEqual([
    ["google Google"],
    ["apple Apple"],
    ["github GitHub"],
    ["microsoft Microsoft"],
    ["own Acme"],
  ]);
});

test("the settings of a company's directory", () => {
  writeFileSync(join(root, "service.yaml"), block("docs/directories", "An example"));
  const environment = { SERVICE_SECRET: "s".repeat(32), ACME_CLIENT_SECRET: "a secret" };
  const { auth } = readConfig({ root, environment, databaseUrl: url });
  expect(auth.providers).toMatchObject([{ name: "acme", sessionHours: 10, register: true }]);
});

test("the apps that may be connected", () => {
  writeFileSync(join(root, "service.yaml"), block("docs/assistants", "Enable apps"));
  const environment = { SERVICE_SECRET: "s".repeat(32) };
  expect(readConfig({ root, environment, databaseUrl: url }).auth.apps).toEqual({
    allow: ["claude.ai", "chatgpt.com", "vscode.dev"],
    accessMinutes: 480,
    refreshDays: 30,
  });
});

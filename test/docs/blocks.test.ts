import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { block, blocksOf, pages } from "./pages.js";

const root = join(import.meta.dirname, "../..");

const recipes = [
  "A receipt after an order",
  "A nightly report, once across all machines",
  "An import in the background, with progress in a record",
  "Retry a payment provider that returns 429",
  "A cleanup",
];

const models = [
  "Belongs to one",
  "Consists of parts",
  "Many to many",
  "With attributes",
  "Is in another",
  "Has at most one",
  "Belongs to an account",
  "Belongs to a team",
  "Has several values, or a shape",
  "Follows from other fields",
];

const movedFrom = ["Supabase", "Auth0", "better-auth", "Django", "Rails (Devise)"];

test("a test of this folder runs every block of the documentation", () => {
  // `recipes.test.ts` makes an app of all that these have.
  const others = pages.filter(({ name }) => !/^docs\/recipes(?:-code)?$/.test(name));
  const found = others.flatMap((page) =>
    blocksOf(page).map(({ heading, language }) => `${page.name}, ${heading}: ${language}`),
  );
  expect(found.sort()).toEqual(
    [
      "README, Try it: sh", // start
      "README, Try it: sh", // below
      "README, Start your own app: sh", // start
      "README, Start your own app: sh",
      "README, A resource is one file: yaml", // settings, as all yaml and sql
      "README, App code: ts", // start
      "docs/access, By condition: yaml", // access
      "docs/access, By field: yaml", // access
      "docs/access, By owner: yaml", // access
      "docs/access, By owner: yaml", // access
      "docs/access, By record: ts", // access
      "docs/access, By role: yaml", // access
      ...Array.from({ length: 3 }, () => "docs/access, By team: yaml"), // access
      ...Array.from({ length: 2 }, () => "docs/agents, Connect an editor: json"), // agents
      "docs/agents, Enable MCP: yaml", // agents
      "docs/agents, Custom tools: ts", // agents
      "docs/agents, Grant rights: sh", // cli
      "docs/agents, Grant rights: yaml", // agents
      "docs/assistants, Enable apps: yaml", // settings
      ...Array.from({ length: 7 }, (_, at) => `docs/accounts, ${journeys[at]}: sh`), // accounts
      "docs/accounts, Several sites: yaml",
      "docs/accounts, Switches: yaml",
      "docs/accounts, Try it with curl: sh", // accounts
      "docs/browser, Caching: ts", // client
      "docs/browser, The client: yaml",
      "docs/browser, The program: ts", // below, and app/browser
      "docs/browser, App routes: ts", // client
      "docs/changes, The client: ts", // app/live
      "docs/changes, With React: tsx", // app/live, app/live-browser.long
      "docs/concurrent-writes, Reading, then writing is safe: ts", // below, and app/stock
      "docs/cluster, PostgreSQL under Patroni: sql", // cluster, as all of this page
      "docs/cluster, PostgreSQL under Patroni: yaml",
      ...Array.from({ length: 2 }, () => "docs/cluster, Route connections to the primary: text"),
      "docs/commands, Generate code: sh", // cli/add-own
      "docs/commands, Shell completion: sh", // cli/completion
      "docs/configuration, Configuration: yaml",
      "docs/contributing, Contributing: sh", // below
      "docs/contributing, Structure: text", // a picture
      "docs/dashboard, In your server: ts", // start
      "docs/dashboard, Look: yaml",
      "docs/data, Export: sh", // cli/export
      "docs/data, Import: sh", // cli/import.long
      "docs/data, Files of other programs: sh", // cli/import.long
      "docs/data, Backup: sh", // cli/restore
      "docs/data, Restore: sh", // cli/restore
      "docs/data, Seed: sh", // cli/import.long
      "docs/data, Seed: yaml", // cli/import.long
      "docs/deployment, 2. Set the variables: yaml",
      "docs/deployment, 3. Build, migrate, start: sh", // start
      "docs/deployment, 3. Build, migrate, start: sh", // start
      "docs/descriptors, Computed fields: yaml",
      "docs/descriptors, Descriptors: yaml",
      "docs/descriptors, Galleries: yaml",
      "docs/descriptors, Lists of links: yaml",
      "docs/design, From descriptors to files: text", // a picture
      "docs/directories, An example: yaml", // settings
      "docs/directories, Back-channel logout: text", // an address
      "docs/directories, SAML: text", // a picture
      ...movedFrom.flatMap((name) =>
        (name === "Auth0" ? ["sh"] : ["sql", "sh"]).map(
          (language) => `docs/moving-accounts, ${name}: ${language}`, // cli/import-users
        ),
      ),
      "docs/moving-accounts, Migrating accounts: sh", // cli/import-users
      "docs/moving-accounts, Hashes: sh", // what psql is given is run there
      "docs/descriptors, Owners: yaml",
      "docs/descriptors, Rules of fields: yaml",
      "docs/descriptors, Screens: yaml",
      "docs/descriptors, Teams: yaml",
      "docs/descriptors, Unique lists and indexes: yaml",
      "docs/existing-databases, Accounts: sh", // cli/people
      "docs/existing-databases, Accounts: sh", // cli/people
      ...["Rails", "Django", "Laravel", "Prisma", "Supabase"].map(
        (name) => `docs/existing-databases, ${name}: sh`, // cli/frameworks
      ),
      "docs/existing-databases, Supabase: sql", // cli/frameworks
      "docs/existing-databases, Existing databases: sh", // cli/adopt
      "docs/existing-databases, Existing databases: text", // cli/adopt
      "docs/existing-databases, Tables: yaml",
      "docs/existing-databases, Times without a time zone: yaml",
      "docs/files, In a bucket: sh", // cli/bucket-library
      "docs/files, In a bucket: yaml",
      "docs/files, Move files: sql", // app/private-bucket.long
      "docs/files, Profiles: yaml",
      "docs/files, Upload: json", // accounts
      "docs/files, Upload: sh", // accounts
      "docs/history, History: yaml",
      "docs/http-api, Batches (atomic writes): json", // writes
      "docs/http-api, Conditions in JSON: json", // queries, as all http
      ...recipes.map((recipe) => `docs/jobs, ${recipe}: ts`), // jobs
      "docs/http-api, Cursor pagination: http",
      "docs/http-api, Groups: http",
      "docs/http-api, Groups: json", // queries
      "docs/http-api, Groups: json", // queries
      "docs/http-api, Long queries: json", // queries
      "docs/http-api, Operators: http",
      "docs/http-api, Other client generators: sh", // describe/generators
      "docs/http-api, Select fields: http",
      "docs/http-api, Related records: http",
      "docs/http-api, Related records: http",
      "docs/http-api, Related records: json", // queries
      "docs/http-api, Statistics: http",
      "docs/migrations, Handwritten migrations: sql",
      ...models.flatMap((model) => [
        `docs/modelling, ${model}: yaml`, // modelling, as its requests
        `docs/modelling, ${model}: http`,
      ]),
      "docs/modelling, Belongs to a team: yaml",
      "docs/operations, Backups: sh", // cli/restore
      "docs/operations, Dashboards and alerts: yaml", // cli/deploy/tools
      "docs/own-code, An outbox: ts", // below, and app/outbox
      "docs/own-code, Hooks: ts", // start
      "docs/own-code, Mail and files: ts", // cli/own-tests
      "docs/own-code, Custom sign-in: ts", // sign-in
      "docs/own-code, Custom sign-in: yaml", // sign-in
      "docs/own-code, Tests: ts", // cli/own-tests
      "docs/own-code, App code: hooks, policies, routes: ts", // start
      ...["Any OpenID provider", "Apple", "GitHub", "Google", "Microsoft"].map(
        (provider) => `docs/providers, ${provider}: yaml`,
      ),
      "docs/performance, Slow queries: sh", // cli/doctor-slow
      "docs/public, Forms: ts", // own-code
      "docs/public, Forms: ts", // public
      "docs/public, Guests: ts", // public
      "docs/public, Forms: yaml", // public
      "docs/public, Guests: yaml", // public
      "docs/public, Public data: yaml", // public
      "docs/public, App code: ts", // public
      "docs/search, Highlights: json", // search
      "docs/search, Search: yaml", // search
      "docs/trash, Trash: yaml", // trash
      "docs/upgrading, From 0.5: sh", // cli/upgrade
      "docs/upgrading, Steps: sh", // start
      "docs/webhooks, In Go: go", // no compiler is at hand
      "docs/webhooks, In Node: js", // webhooks, as Python
      "docs/webhooks, In Python: python",
      "docs/webhooks, Allowed addresses: yaml",
    ].sort(),
  );
});

const journeys = [
  "Password",
  "Sign-in by email",
  "Reset a password",
  "Two-factor authentication",
  "Change the email address",
  "Passkeys",
  "Devices",
];

test("the README's way to run the tests is that of continuous integration", () => {
  const script = readFileSync(join(root, ".ci/run"), "utf8");
  expect(script).toContain(`\n${block("README", "Try it", 2).trim().replace(" && ", "\n")}\n`);
});

test("the first steps of a contributor are scripts and projects that exist", () => {
  const lines = block("docs/contributing", "Contributing").trim().split("\n");
  expect(lines[0]).toBe("npm ci");
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(Object.keys(scripts)).toContain(/^npm run (\w+)$/.exec(lines[1] ?? "")?.[1]);
  const config = readFileSync(join(root, "vitest.config.ts"), "utf8");
  const project = /^npx vitest run --project (\w+)$/.exec(lines[2] ?? "")?.[1];
  expect(config).toContain(`name: "${project}"`);
});

test("the hooks of an outbox and of stock are those of the fixtures", () => {
  const hooksOf = (app: string) =>
    readFileSync(join(root, `fixtures/apps/${app}/hooks.ts`), "utf8");
  expect(block("docs/own-code", "An outbox")).toBe(hooksOf("outbox"));
  expect(block("docs/concurrent-writes", "Reading, then writing is safe")).toBe(hooksOf("stock"));
});

test("the program of the page for browsers is that of the fixture", () => {
  const program = readFileSync(join(root, "fixtures/web/src/main.ts"), "utf8");
  expect(block("docs/browser", "The program")).toBe(program);
});

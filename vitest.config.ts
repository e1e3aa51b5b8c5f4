import { defineConfig } from "vitest/config";
import { clearEnvironment } from "./test/support/processes/environment.js";

// Here, since the processes of the tests inherit what this one has.
clearEnvironment(process.env);

/** They need no server beside them. A file that is in no other project is in `database`, so a new one always runs. */
const unit = [
  "test/{golden,hints,layering,merge-markers,searches}.test.ts",
  "test/docs/{blocks,errors,links,names}.test.ts",
  "test/generator/!(kind|sql-text).test.ts",
  "test/runtime/auth/{account/address,session/assurance,token/token,second-step/authenticator/rules}.test.ts",
  "test/runtime/config/*.test.ts",
  "test/runtime/http/{body-time,cors,headers,wire}.test.ts",
  "test/runtime/migrate/statements.test.ts",
  "test/runtime/mail/{hostile,letters}.test.ts",
  "test/runtime/{secret,services}/*.test.ts",
  "test/runtime/uploads/{disk,spool}.test.ts",
  "test/runtime/uploads/{image,inspect}/**/*.test.ts",
  "test/runtime/values/*.test.ts",
];

/** The other projects and their tests. Resources are tested through the emitted app. */
const rooms = {
  app: ["test/app/**/*.test.ts", "test/runtime/resource/**/*.test.ts"],
  cli: ["test/cli/**/*.test.ts"],
  faults: ["test/faults/**/*.test.ts"],
};

/** For each project. They do not extend this file: `--maxWorkers` would not reach them then. */
const shared = {
  testTimeout: 60_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 10_000 } },
};
/** Files in one worker share the modules they load, which saves a third of the time. */
const together = { isolate: false };
const onPostgres = { ...shared, globalSetup: "test/support/database/postgres.ts" };

export default defineConfig({
  test: {
    maxWorkers: 3,
    projects: [
      { test: { ...shared, ...together, name: "unit", include: unit } },
      {
        test: {
          ...onPostgres,
          name: "database",
          include: ["test/**/*.test.ts"],
          exclude: [...unit, ...Object.values(rooms).flat()],
        },
      },
      ...Object.entries(rooms).map(([name, include]) => ({
        test: {
          ...onPostgres,
          ...(name === "app" ? together : {}),
          name,
          include,
        },
      })),
    ],
  },
});

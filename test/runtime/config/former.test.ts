import { afterAll, expect, test } from "vitest";
import { readConfig } from "../../../runtime/config/index.js";
import { appFolder, databaseUrl, problemsOf, removeFolders } from "./folder.js";

afterAll(removeFolders);

function configOf(text: string) {
  return readConfig({
    root: appFolder({ "service.yaml": text }),
    environment: { MOST: "4" },
    databaseUrl,
  });
}

test("settings are accepted under their former names, with one warning each", () => {
  const former = `server:\n  port: 4000\n  hook_seconds: 9\njobs: { together: '\${MOST:-1}' }\n`;
  const config = configOf(former);
  expect(config.server).toMatchObject({ port: 4000, hookTimeoutSeconds: 9 });
  expect(config.jobs).toEqual({ concurrency: 4 });
  const hint = "rename it in service.yaml: the former name is accepted until 0.7";
  expect(config.warnings).toEqual([
    {
      about: "name",
      message: "server.hook_seconds is now called server.hook_timeout_seconds",
      hint,
    },
    { about: "name", message: "jobs.together is now called jobs.concurrency", hint },
  ]);
});

test("under their current names they need none", () => {
  const config = configOf("server: { hook_timeout_seconds: 9 }\njobs: { concurrency: 2 }\n");
  expect(config.server.hookTimeoutSeconds).toBe(9);
  expect(config.jobs).toEqual({ concurrency: 2 });
  expect(config.warnings).toEqual([]);
});

test.each([
  ["server:\n  hook_seconds: soon\n", 2, 17, "server.hook_timeout_seconds must be a whole number"],
  ["jobs:\n  together: 5\n  concurrency: 5\n", 2, 3, "jobs.together is the former name of"],
  ["jobs:\n  concurrency: 5\n  together: 5\n", 3, 3, "jobs.together is the former name of"],
  ["jobs: { tries: 5 }\n", 1, 9, "jobs.tries is not a setting"],
  ["jobs: [together]\n", 1, 1, "jobs must be a map of settings"],
])("a wrong value is reported at its place: %j", (text, line, column, message) => {
  const root = appFolder({ "service.yaml": text });
  expect(problemsOf({ root, environment: {}, databaseUrl })).toMatchObject([
    { line, column, message: expect.stringContaining(message) },
  ]);
});

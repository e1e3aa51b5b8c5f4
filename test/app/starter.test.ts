import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { created, expectRefusal } from "../support/apps/shop.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { RuledCaller } from "../support/rights/request.js";

const starter = resolve(import.meta.dirname, "../../templates/starter");
const commented = /^( *)\/\/ (?!Your own code)/gm;

let app: WrittenApp;
let ada: RuledCaller;
let bob: RuledCaller;

/** The app that `init` writes, with the examples of its `server.ts` uncommented. */
beforeAll(async () => {
  const server = readFileSync(resolve(starter, "server.ts.hbs"), "utf8");
  app = await startWrittenApp({
    descriptors: new Map([
      ["tasks.yaml", readFileSync(resolve(starter, "resources/tasks.yaml.hbs"), "utf8")],
    ]),
    server: server.replace(commented, "$1").replace("await app.listen();", "export { app };"),
  });
  ada = await app.caller(null);
  bob = await app.caller(null);
});
afterAll(() => app.close());

test("the route of the starter's server.ts counts the open tasks of the caller", async () => {
  await created(ada.client, "tasks", { title: "Sweep" });
  await created(ada.client, "tasks", { title: "Mop", status: "started" });
  expect((await bob.client.get("/open-tasks")).body).toEqual({ count: 1 });
  expect((await fetch(`${app.url}/api/open-tasks`)).status).toBe(401);
});

test("its policy leaves a task to its assignee", async () => {
  const task = await created(ada.client, "tasks", { title: "Sweep", assigneeId: ada.id });
  expectRefusal(await bob.client.patch(`/tasks/${task.id}`, { title: "Mop" }), 403);
  expect((await ada.client.patch(`/tasks/${task.id}`, { status: "done" })).status).toBe(200);
});

test("its hook protects a finished task, and explains the refusal", async () => {
  const task = await created(ada.client, "tasks", { title: "Sweep", status: "done" });
  const reply = await ada.client.patch(`/tasks/${task.id}`, { title: "Mop" });
  expect([reply.status, reply.body]).toEqual([409, { error: "A task that is done cannot change" }]);
});

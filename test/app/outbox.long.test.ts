import { spawn } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { appHooks, type RunningApp, startApp } from "../support/apps/app.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { linkPackages } from "../support/apps/link-packages.js";
import { created } from "../support/apps/shop.js";
import { client } from "../support/http/client.js";
import { localTools } from "../support/processes/tools.js";

const repository = resolve(import.meta.dirname, "../..");
const source = join(repository, "fixtures/apps/outbox");

let app: RunningApp;
let root: string;
beforeAll(async () => {
  app = await startApp("apps/outbox", { hooks: await appHooks("apps/outbox") });
  root = makeAppFolder();
  const outDir = join(root, "dist");
  await execa("tsc", ["-p", source, "--outDir", outDir, "--singleThreaded"], {
    ...localTools,
    cwd: repository,
  });
  for (const name of ["service.yaml", "migrations"]) {
    cpSync(join(source, name), join(root, name), { recursive: true });
  }
  writeFileSync(join(root, "package.json"), '{ "type": "module" }\n');
  linkPackages(root);
});
afterAll(async () => {
  await app.close();
  removeAppFolder(root);
});

function startWorker(to: string) {
  const env = { ...process.env, DATABASE_URL: app.databaseUrl, MESSAGES_URL: to };
  return spawn(process.execPath, ["dist/worker.js"], { cwd: root, env, stdio: "ignore" });
}

test("every message is sent at least once, whenever its worker is killed", async () => {
  const received: string[] = [];
  /** What is done with the next message: its worker is killed before it finds out that it was sent. */
  let kills = 4;
  let worker: ReturnType<typeof startWorker> | null = null;
  const receiver = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    received.push(JSON.parse(text).recipient);
    if (kills === 0) {
      response.end();
      return;
    }
    kills -= 1;
    worker?.once("exit", () => {
      worker = startWorker(to);
    });
    worker?.kill("SIGKILL");
  });
  await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
  const to = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const caller = client(app.url, app.token);
  const emails = Array.from({ length: 10 }, (_, at) => `buyer-${at}@example.com`);
  for (const email of emails) await created(caller, "orders", { email, total: 1 });
  expect((await caller.post("/orders", { email: "no email", total: 1 })).status).toBe(422);
  worker = startWorker(to);
  try {
    const unsent = () => app.db.query("select from messages where sent_at is null");
    await expect.poll(unsent, { timeout: 150_000 }).toEqual([]);
    expect(kills).toBe(0);
    expect([...new Set(received)].sort()).toEqual(emails);
    expect(received.length).toBe(emails.length + 4);
  } finally {
    worker?.removeAllListeners("exit");
    worker?.kill("SIGKILL");
    receiver.close();
  }
});

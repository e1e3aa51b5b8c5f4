import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "../runtime/dashboard/support/ask.js";
import { listening, stopped } from "../runtime/dashboard/support/fake-api.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { listen } from "../support/processes/listened.js";
import { service, startService } from "./service.js";

let root: string;
beforeAll(() => {
  root = makeAppFolder();
});
afterAll(() => removeAppFolder(root));

test("serves the web app and forwards to the API, in an empty folder, until a signal ends it", async () => {
  const api = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({ url: request.url, browser: request.headers["x-service-client-browser"] }),
    );
  });
  const apiUrl = await listening(api);
  const child = startService(root, ["dashboard"], {
    env: {
      SERVICE_API_URL: apiUrl,
      SERVICE_PROXY_SECRET: "a secret of the tests, thirty-two bytes",
      PORT: "0",
    },
  });
  const ended = child.then(({ exitCode }) => exitCode);
  const dashboard = listen({ output: child.stdout, ended, end: () => child.kill("SIGTERM") });
  const [, url = ""] = await dashboard.sees(/answers on (http:\S+:\d+)\n/);
  const page = await ask(url, "GET", "/data/anything", { headers: { accept: "text/html" } });
  expect(page.text).toContain("<title>Dashboard</title>");
  const [, script = ""] = /src="(\/assets\/[^"]+\.js)"/.exec(page.text) ?? [];
  expect((await ask(url, "GET", script)).headers["content-type"]).toContain("text/javascript");
  const answer = await ask(url, "GET", "/api/products?a=1", { headers: { "user-agent": "Test" } });
  expect(answer.body).toEqual({ url: "/api/products?a=1", browser: "Test" });
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  await stopped(api);
});

test("reports every wrong variable on a separate line, and exits with 1", async () => {
  const { exitCode, stderr, stdout } = await service(root, ["dashboard"], {
    env: { SERVICE_API_URL: "ftp://x", SERVICE_PROXY_SECRET: "short", PORT: "x" },
  });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  for (const name of ["SERVICE_API_URL", "SERVICE_PROXY_SECRET", "PORT"]) {
    expect(stderr).toMatch(new RegExp(`^environment: ${name} `, "m"));
  }
});

test("exits with 1 on a taken port", async () => {
  const other = createServer();
  const { port } = new URL(await listening(other));
  const { exitCode, stderr } = await service(root, ["dashboard"], { env: { PORT: port } });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: `Port ${port} of 127.0.0.1 is taken\n  hint: set PORT`,
  });
  await stopped(other);
});

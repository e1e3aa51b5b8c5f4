import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { localTools } from "../support/processes/tools.js";
import { generatedApp, repository, service } from "./service.js";

const server = `
import { Router } from "express";
import { publicRoute } from "service-runtime/http";
import { z } from "zod";
import { createApp } from "./generated/app.js";

const routes = Router();
const handler = () => {};
routes.get("/hello", publicRoute, handler);
routes.route("/reports/:id").get(handler).post(handler);
const inner = Router();
inner.delete("/:line", handler);
routes.use("/reports/:id/lines", inner);
console.log("printed by the app's own code");
const app = await createApp({
  routes,
  policies: {
    notes: { update: () => true, list: () => true },
  },
  jobs: { tidy: { input: z.object({}), run: async () => {} } },
});
await app.listen();
`;

let root: string;

beforeAll(async () => {
  root = await generatedApp();
  for (const name of ["express", "zod"]) {
    symlinkSync(join(repository, "node_modules", name), join(root, "node_modules", name));
  }
  writeFileSync(join(root, "resources/notes.yaml"), notes);
  writeFileSync(join(root, "service.yaml"), settings);
  expect(await service(root, ["generate"])).toMatchObject({ exitCode: 0 });
  await build(server);
});
afterAll(() => removeAppFolder(root));

const notes = `
access: { read: signed-in, create: [author, admin], update: nobody }
fields: { text: { type: string }, scan: { type: file } }
`;

const settings = `
server: { port: 1, workers: 2 }
auth:
  operators: [admin]
  delete_own_account: true
  apps: { allow: any }
  providers: { acme: { issuer: "https://acme.example", client_id: shop, client_secret: abc } }
`;

async function build(text: string): Promise<void> {
  writeFileSync(join(root, "server.ts"), text);
  await execa("tsc", [], { ...localTools, cwd: root });
}

/** Where neither a database nor a secret is configured. */
const production = { NODE_ENV: "production", DATABASE_URL: "postgres://127.0.0.1:1/none" };

interface Listed {
  readonly method: string;
  readonly path: string;
}

async function listed(env: Readonly<Record<string, string>> = {}): Promise<readonly Listed[]> {
  const options = { env: { ...production, ...env } };
  const outcome = await service(root, ["routes", "--json"], options);
  expect(outcome.exitCode, outcome.stderr).toBe(0);
  return JSON.parse(outcome.stdout).routes;
}

test("lists every route of a resource with its rule, and the policies of the app", async () => {
  const routes = await listed();
  const of = (method: string, path: string) =>
    routes.find((route) => route.method === method && route.path === path);
  const common = { policy: false, hooks: [], own: false, public: false };
  expect(of("GET", "/api/notes")).toEqual({
    method: "GET",
    path: "/api/notes",
    rule: "signed-in",
    policy: true,
    hooks: [],
    own: false,
    public: false,
  });
  expect(of("GET", "/api/notes/{id}")).toMatchObject({ ...common, rule: "signed-in" });
  expect(of("GET", "/api/notes/_stats")).toMatchObject({ ...common, rule: "signed-in" });
  expect(of("POST", "/api/notes")).toMatchObject({ ...common, rule: ["author", "admin"] });
  expect(of("PATCH", "/api/notes/{id}")).toMatchObject({ rule: "nobody", policy: true });
  expect(of("PUT", "/api/notes/{id}")).toMatchObject({ rule: "nobody", policy: true });
  expect(of("GET", "/api/_service/ping")).toMatchObject({ rule: "public", public: true });
  expect(of("POST", "/api/auth/token")).toMatchObject({ rule: "public", public: true });
  expect(of("GET", "/api/_service/accounts/{id}")).toMatchObject({ ...common, rule: ["admin"] });
  expect(of("POST", "/api/auth/register")).toBeUndefined();
  expect(of("PUT", "/api/auth/avatar")).toMatchObject({ ...common, rule: "signed-in" });
});

test("lists the app routes, those of nested routers too", async () => {
  const own = (await listed()).filter((route) => "own" in route && route.own === true);
  const route = { rule: "signed-in", policy: false, hooks: [], own: true, public: false };
  expect(own).toEqual([
    { ...route, method: "GET", path: "/api/hello", rule: "public", public: true },
    { ...route, method: "GET", path: "/api/reports/{id}" },
    { ...route, method: "POST", path: "/api/reports/{id}" },
    { ...route, method: "DELETE", path: "/api/reports/{id}/lines/{line}" },
  ]);
});

/** Routes that the document has for each field, or with another form of its parameters. */
const written: Readonly<Record<string, string>> = {
  "PUT /api/_service/uploads/{resource}/{field}": "PUT /api/_service/uploads/notes/scan",
  "GET /api/_service/files/{resource}/{field}/{year}/{month}/{file}":
    "GET /api/_service/files/{key}",
};

test("openapi.json, with every setting enabled, has exactly the listed routes except the app routes", async () => {
  const all = await listed({ SERVICE_REGISTRATION: "true" });
  const routes = all.filter((route) => !("own" in route && route.own === true));
  const document: { paths: Record<string, object> } = JSON.parse(
    readFileSync(join(root, "generated/openapi.json"), "utf8"),
  );
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} /api${path}`),
  );
  const served = routes
    .filter(({ path }) => path.startsWith("/api/"))
    .map(({ method, path }) => `${method} ${path}`);
  expect(described.toSorted()).toEqual(served.map((one) => written[one] ?? one).toSorted());
});

test("prints them as a table", async () => {
  const { stdout } = await service(root, ["routes"], { env: production });
  const lines = stdout.split("\n");
  expect(lines[0]?.split(/ {2,}/)).toEqual(["method", "path", "rule", "own code"]);
  expect(lines.some((line) => /^PATCH +\/api\/notes\/\{id\} +nobody +policy$/.test(line))).toBe(
    true,
  );
  expect(lines.some((line) => /^GET +\/api\/hello +public +route$/.test(line))).toBe(true);
  expect(stdout).not.toContain("printed by");
});

test("an app that is not built, or does not start, is refused with its error", async () => {
  const other = await generatedApp();
  const missing = await service(other, ["routes"]);
  expect(missing).toMatchObject({ exitCode: 1, stdout: "" });
  expect(missing.stderr).toContain("build the app first: npm run build");
  removeAppFolder(other);
  await build(server.replace("notes:", "memos:").replace("policies: {", "policies: <any>{"));
  const refused = await service(root, ["routes"], { env: production });
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain('policies: there is no resource "memos"');
  await build("process.exitCode = 0;\nexport {};\n");
  const silent = await service(root, ["routes"], { env: production });
  expect(silent.exitCode).toBe(1);
  expect(silent.stderr).toContain("call createApp in server.ts");
});

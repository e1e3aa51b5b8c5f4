import { afterAll, beforeAll, expect, test } from "vitest";
import { type Agent, connectAgent } from "../support/agents/agent.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { block } from "./pages.js";

const page = "docs/agents";

let app: WrittenApp;
let assistant: Agent;
let token: string;

/** The app of the page: its settings, its own tool, and a role that may only read orders. */
beforeAll(async () => {
  const grant = block(page, "Grant rights");
  app = await startWrittenApp({
    descriptors: new Map([
      ["orders.yaml", `${grant}fields: { number: { type: string } }\n`],
      [
        "tasks.yaml",
        "fields: { title: { type: string }, status: { type: enum, values: [open, done], default: open } }\n",
      ],
    ]),
    server: block(page, "Custom tools").replace("await app.listen();", "export { app };"),
    settings: `auth: { check_breached_passwords: false }\n${block(page, "Enable MCP").replace("mcp", "host: 127.0.0.1, mcp")}`,
    packages: ["zod"],
  });
  const { client } = await app.caller("assistant");
  const made = await client.post<{ token: string }>("/auth/service-tokens", { name: "Editor" });
  token = made.body.token;
  assistant = await connectAgent(app.url, token);
});
afterAll(() => app.close());

test("the configurations of editors connect to the tools, with the token in its place", () => {
  for (const place of [1, 2]) {
    const written = JSON.parse(block(page, "Connect an editor", place));
    const { shop } = written.servers ?? written.mcpServers;
    expect(shop.url).toBe("http://127.0.0.1:3000/api/_service/mcp");
    expect(shop.headers).toEqual({
      Authorization: expect.stringMatching(/^Bearer \$\{(input:shop-token|env:SHOP_TOKEN)\}$/),
    });
  }
});

test("an assistant reads orders and has no write tools but the app's", async () => {
  const { tools } = await assistant.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "list_resources",
    "describe_resource",
    "find",
    "get",
    "aggregate",
    "finish_task",
  ]);
  const { result } = await assistant.call("describe_resource", { resource: "orders" });
  expect(result.can).toMatchObject({ list: true, get: true, create: false, delete: false });
  expect((await assistant.call("find", { resource: "orders" })).result.data).toEqual([]);
});

test("the tool of the page finishes a task once", async () => {
  const { client } = await app.caller(null);
  const { body } = await client.post("/tasks", { title: "Write" });
  expect(await assistant.call("finish_task", { id: body.id })).toMatchObject({
    isError: false,
    result: { id: body.id, status: "done" },
  });
  expect(await assistant.call("finish_task", { id: body.id })).toEqual({
    isError: true,
    result: { status: 409, error: "The task is done already" },
  });
  expect(await assistant.call("finish_task", { id: "1" })).toMatchObject({
    isError: true,
    result: { status: 422, issues: [{ path: "id" }] },
  });
});

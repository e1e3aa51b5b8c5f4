import { afterAll, beforeAll, expect, test } from "vitest";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Client } from "../support/http/client.js";

let app: WrittenApp;
let agent: Client;

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      ["parts.yaml", "fields: { name: { type: string }, data: { type: json } }\n"],
    ]),
    settings: "auth: { check_breached_passwords: false }\nserver: { host: 127.0.0.1, mcp: true }\n",
  });
  agent = (await app.caller("admin")).client;
});
afterAll(() => app?.close());

interface Called {
  readonly result: { readonly isError?: boolean; readonly content: readonly { text: string }[] };
}

/** Calls a tool with arguments as JSON text; returns the text of its result. */
async function call(name: string, args: string): Promise<string> {
  const text = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;
  const {
    status,
    body,
    text: answer,
  } = await agent.send<Called>("POST", "/_service/mcp", {
    text,
    headers: { accept: "application/json, text/event-stream" },
  });
  expect({ status, answer }).toMatchObject({ status: 200 });
  return body.result.content[0]?.text ?? "";
}

const digits = `1${"0".repeat(308)}`;
const number = "Cannot be stored exactly: a number must fit into a double without losing digits";

test("numbers in JSON pass through tools unchanged", async () => {
  const made = await call("create", '{"resource":"parts","values":{"data":[1e308,0.1,{"a":2}]}}');
  expect(made).toContain(`"data":[${digits}, 0.1, {"a": 2}]`);
  const { id } = JSON.parse(made).record;
  const changed = await call(
    "update",
    `{"resource":"parts","id":"${id}","values":{"data":5e-324}}`,
  );
  expect(JSON.parse(changed).record.data).toBe(5e-324);
});

test.each([
  ["create", '{"resource":"parts","values":{"data":9007199254740993}}', "data", number],
  ["create", '{"resource":"parts","values":{"data":[1e400]}}', "data.0", number],
  [
    "create",
    '{"resource":"parts","values":{"data":{"a":1,"a":1}}}',
    "data.a",
    "This key is repeated",
  ],
  [
    "batch",
    '{"operations":[{"create":"parts","values":{"data":{"a":9007199254740993}}}]}',
    "data.a",
    number,
  ],
])("%s refuses %s", async (tool, args, path, message) => {
  expect(JSON.parse(await call(tool, args))).toMatchObject({
    status: 422,
    issues: [{ path, message }],
  });
});

test("update refuses a number that a double would change, whatever the order of the members", async () => {
  const made = await call("create", '{"values":{"data":1},"resource":"parts"}');
  const { id } = JSON.parse(made).record;
  const text = `{"values":{"name":"x","data":{"n":9007199254740993}},"id":"${id}","resource":"parts"}`;
  expect(JSON.parse(await call("update", text))).toMatchObject({
    status: 422,
    issues: [{ path: "data.n", message: number }],
  });
});

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accountCodes } from "../../generator/describe/refusals.js";
import { refusals } from "../../runtime/errors/refusals.js";
import { client, hangUp } from "../support/http/client.js";
import { checkAnswers, judgedAnswers } from "../support/openapi/answers.js";

// A server that answers what it is told, judged as if it were the shop.
let server: Server;
let url: string;
let answer = { status: 200, body: "{}" };
beforeAll(async () => {
  server = createServer((_request, response) => {
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  checkAnswers(url, "apps/shop");
});
afterAll(async () => {
  hangUp(url);
  await new Promise((resolve) => server.close(resolve));
});

function asked(method: string, path: string, status: number, body: object) {
  answer = { status, body: JSON.stringify(body) };
  return client(url, null).send(method, path);
}

const error = "A sentence";

test.each([
  ["GET", "/_service/ping", 200, { service: "1", app: "a" }],
  ["GET", "/products?page=0", 400, { error, issues: [{ param: "page", message: error }] }],
  ["GET", "/products", 406, { error }],
  ["POST", "/auth/token", 401, { error, code: "INVALID_EMAIL_OR_PASSWORD" }],
  ["POST", "/auth/password", 422, { error, issues: [] }],
])("%s %s may answer %i", async (method, path, status, body) => {
  const before = judgedAnswers(url);
  expect((await asked(method, path, status, body)).status).toBe(status);
  expect(judgedAnswers(url)).toBe(before + 1);
});

test.each([
  ["a key that is not known", "GET", "/_service/ping", 200, { service: "1", app: "a", b: 1 }],
  ["a refusal that the operation does not have", "GET", "/products", 412, { error }],
  ["one that no operation has", "GET", "/products", 402, { error }],
  ["a code of another operation", "POST", "/auth/token", 401, { error, code: "OTP_EXPIRED" }],
  ["no code if there is one", "POST", "/auth/token", 401, { error }],
  ["a path without an operation", "GET", "/prices", 200, {}],
])("a test fails if it gets %s", async (_, method, path, status, body) => {
  await expect(asked(method, path, status, body)).rejects.toThrow(
    /^openapi.json does not describe/,
  );
});

test("the document has every error code that the server sends", () => {
  const sent = Object.entries(refusals).flatMap(([code, { coded }]) => (coded ? [code] : []));
  expect(new Set(accountCodes)).toEqual(new Set(sent));
});

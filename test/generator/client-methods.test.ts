import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { authMethods, serviceMethods } from "../../generator/model/operations.js";
import { transports } from "../../runtime/values/api/passkeys.js";

const runtime = readFileSync(
  join(import.meta.dirname, "../../templates/generated/client/runtime.ts"),
  "utf8",
);

/** The methods that an interface of the client declares. */
function declaredBy(name: string): readonly string[] {
  const [, body = ""] =
    new RegExp(`^export interface ${name} \\{\n(.*?)^\\}`, "ms").exec(runtime) ?? [];
  return [...body.matchAll(/^ {2}(\w+)\(/gm)].map(([, method = ""]) => method);
}

/** The requests that a table of the client has, by their methods. */
function requestsOf(table: string, path: string): Readonly<Record<string, string>> {
  const [, body = ""] = new RegExp(`^const ${table}.*? = \\{\n(.*?)^\\}`, "ms").exec(runtime) ?? [];
  const entries = body.matchAll(
    /^ {2}(\w+): \{\s+request: "(\w+) ([^"]*)"(?:, group: "([^"]*)")?/gm,
  );
  return Object.fromEntries(
    [...entries].map(([, name, verb, rest, group = path]) => [name, `${verb} ${group}${rest}`]),
  );
}

test.each([
  ["AuthApi", authMethods],
  ["ServiceApi", serviceMethods],
])("%s has a type for each method of the client, and no other", (name, methods) => {
  expect(declaredBy(name).toSorted()).toEqual(Object.keys(methods).toSorted());
});

test.each([
  ["authMethods", "/auth", authMethods],
  ["serviceMethods", "/_service", serviceMethods],
])("%s has the request of each method", (table, path, methods) => {
  expect(requestsOf(table, path)).toEqual(methods);
});

test("a passkey has the transports that the server knows", () => {
  const [, union = ""] = /type PasskeyTransport = (.*);/.exec(runtime) ?? [];
  expect(union.split(" | ").map((text) => JSON.parse(text))).toEqual(transports);
});

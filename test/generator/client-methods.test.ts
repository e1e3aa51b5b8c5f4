import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { authMethods, serviceMethods } from "../../generator/model/operations.js";

const template = join(import.meta.dirname, "../../templates/generated/client.ts.hbs");

/** The methods that an interface of the client declares. */
function declaredBy(name: string): readonly string[] {
  const text = readFileSync(template, "utf8");
  const [, body = ""] =
    new RegExp(`^export interface ${name} \\{\n(.*?)^\\}`, "ms").exec(text) ?? [];
  return [...body.matchAll(/^ {2}(\w+)\(/gm)].map(([, method = ""]) => method);
}

test.each([
  ["AuthApi", authMethods],
  ["ServiceApi", serviceMethods],
])("%s has a type for each method of the client, and no other", (name, methods) => {
  expect(declaredBy(name).toSorted()).toEqual(Object.keys(methods).toSorted());
});

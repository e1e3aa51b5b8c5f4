import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { secretText, signedHeaders } from "../../runtime/webhooks/send/sign.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { block } from "./pages.js";

let folder: string;
beforeAll(() => {
  folder = makeAppFolder();
});
afterAll(() => removeAppFolder(folder));

const [key, former, other] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const body = '{"type":"test","note":"Käse"}';

/** A delivery of so many seconds ago, signed with these. */
function headers(ago: number, ...secrets: readonly Buffer[]) {
  return signedHeaders({ id: "msg", at: new Date(Date.now() - ago * 1_000), body }, secrets);
}

const deliveries: readonly [string, Readonly<Record<string, string>>, string, boolean][] = [
  ["signed", headers(0, key), body, true],
  ["signed with two secrets", headers(0, former, key), body, true],
  ["another body", headers(0, key), `${body} `, false],
  ["another secret", headers(0, other), body, false],
  ["old", headers(400, key), body, false],
  ["another id", { ...headers(0, key), "webhook-id": "other" }, body, false],
  ["another time", { ...headers(0, key), "webhook-timestamp": "x" }, body, false],
  ["unsigned", {}, body, false],
];

test("the recipe for Node accepts genuine deliveries only", async () => {
  const path = join(folder, "verify.mjs");
  writeFileSync(path, block("docs/webhooks", "In Node"));
  const { isGenuine } = await import(pathToFileURL(path).href);
  for (const [name, given, text, expected] of deliveries) {
    expect([name, isGenuine(secretText(key), given, text)]).toEqual([name, expected]);
  }
});

const hasPython = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]);

test.skipIf(hasPython.status !== 0)("the recipe for Python does too", () => {
  const program = `${block("docs/webhooks", "In Python")}
import json, sys
secret, cases = json.load(sys.stdin)
print(json.dumps([is_genuine(secret, headers, body.encode()) for headers, body in cases]))
`;
  const cases = deliveries.map(([, given, text]) => [given, text]);
  const input = JSON.stringify([secretText(key), cases]);
  const printed = execFileSync("python3", ["-c", program], { input, encoding: "utf8" });
  expect(JSON.parse(printed)).toEqual(deliveries.map(([, , , expected]) => expected));
});

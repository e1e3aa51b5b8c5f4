import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { ts } from "ts-morph";
import { expect, test } from "vitest";

const shop = resolve(import.meta.dirname, "../../fixtures/apps/shop/generated/client.ts");

/** Bytes: what a front end loads. */
const limit = 4096;

test("the client's code, as tsc writes it, has at most 4 kB of gzip with the shop's resources", () => {
  const { outputText } = ts.transpileModule(readFileSync(shop, "utf8"), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  expect(outputText).toContain("export function createClient");
  expect(gzipSync(outputText).length).toBeLessThanOrEqual(limit);
});

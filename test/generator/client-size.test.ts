import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { ts } from "ts-morph";
import { expect, test } from "vitest";
import { fixedTypes } from "../../generator/client/types.js";

const shop = resolve(import.meta.dirname, "../../fixtures/apps/shop/generated/client.ts");

/** Bytes: what a front end loads. */
const limit = 5500;

test("the client's code, as tsc writes it, has at most 5.5 kB of gzip with the shop's resources", () => {
  const { outputText } = ts.transpileModule(readFileSync(shop, "utf8"), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  expect(outputText).toContain("export function createClient");
  expect(gzipSync(outputText).length).toBeLessThanOrEqual(limit);
});

const template = resolve(import.meta.dirname, "../../templates/generated/client.ts.hbs");

test("no resource takes the name of a type that every client has", () => {
  const declared = readFileSync(template, "utf8").matchAll(
    /^(?:export )?(?:interface|type|class|declare const) ([A-Z]\w*)/gm,
  );
  expect(
    [...declared].map(([, name]) => name).filter((name) => !fixedTypes.includes(name ?? "")),
  ).toEqual([]);
});

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { ts } from "ts-morph";
import { build } from "vite";
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

const market = resolve(import.meta.dirname, "../../fixtures/apps/market/generated");

test("live.ts, as a front end loads it beside its client, has at most 2 kB of gzip", async () => {
  const bundle = await build({
    configFile: false,
    logLevel: "error",
    root: market,
    build: {
      write: false,
      target: "es2022",
      lib: { entry: join(market, "live.ts"), formats: ["es"] },
      minify: "oxc",
      rolldownOptions: { external: ["./client.js"], output: { minify: true } },
    },
  });
  const [made] = Array.isArray(bundle) ? bundle : [bundle];
  const [chunk] = made !== undefined && "output" in made ? made.output : [];
  const code = chunk?.type === "chunk" ? chunk.code : "";
  expect(code).toMatch(/export ?\{/);
  expect(gzipSync(code).length).toBeLessThanOrEqual(2000);
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

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { expect, test } from "vitest";
import { fixedTypes } from "../../generator/client/fixed-types.js";

const apps = resolve(import.meta.dirname, "../../fixtures/apps");

/** The bytes of a generated file as a front end loads it: bundled, minified and compressed. */
async function loadedBytes(file: string, external: readonly string[]): Promise<number> {
  const bundle = await build({
    configFile: false,
    logLevel: "error",
    root: apps,
    build: {
      write: false,
      target: "es2022",
      lib: { entry: join(apps, file), formats: ["es"] },
      minify: "oxc",
      rolldownOptions: { external: [...external], output: { minify: true } },
    },
  });
  const [made] = Array.isArray(bundle) ? bundle : [bundle];
  const [chunk] = made !== undefined && "output" in made ? made.output : [];
  const code = chunk?.type === "chunk" ? chunk.code : "";
  expect(code).toMatch(/export ?\{/);
  return gzipSync(code).length;
}

test("client.ts has at most 5.5 kB of gzip with the shop's resources", async () => {
  expect(await loadedBytes("shop/generated/client.ts", [])).toBeLessThanOrEqual(5500);
});

test("live.ts has at most 2.1 kB of gzip beside its client", async () => {
  expect(await loadedBytes("market/generated/live.ts", ["./runtime.js"])).toBeLessThanOrEqual(2100);
});

const template = resolve(import.meta.dirname, "../../templates/generated/client/runtime.ts");

test("no resource takes the name of a type that every client has", () => {
  const declared = readFileSync(template, "utf8").matchAll(
    /^export (?:interface|type|class) ([A-Z]\w*)/gm,
  );
  expect(
    [...declared].map(([, name]) => name).filter((name) => !fixedTypes.includes(name ?? "")),
  ).toEqual([]);
});

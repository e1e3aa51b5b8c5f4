import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { runtimeSymbols } from "../../generator/model/runtime-symbols.js";

const repository = resolve(import.meta.dirname, "../..");

describe.each(Object.entries(runtimeSymbols))("%s", (module, symbols) => {
  const room = module.replace(/^service\/runtime\//, "");

  test("is a door of the package", () => {
    const { exports } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
    expect(exports[`./runtime/${room}`]).toBe(`./dist/runtime/${room}/index.js`);
  });

  test("exports every name that emitted code may use of it", async () => {
    const door: object = await import(join(repository, "runtime", room, "index.ts"));
    const types = exportedTypes(
      readFileSync(join(repository, "runtime", room, "index.ts"), "utf8"),
    );
    const missing = symbols.filter((name) => !Object.hasOwn(door, name) && !types.has(name));
    expect(missing).toEqual([]);
  });
});

/** Of `export type { A } from …` and `export { type A, b } from …`. */
function exportedTypes(door: string): ReadonlySet<string> {
  const found = [...door.matchAll(/export (type )?\{([^}]*)\}/g)].flatMap(([, all, names = ""]) =>
    names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => all !== undefined || name.startsWith("type "))
      .map((name) => name.replace(/^type /, "")),
  );
  return new Set(found);
}

describe("the emitted code of all fixtures", () => {
  const imports = emittedImports();

  test("imports of the runtime only what the list names", () => {
    const listed = Object.entries(runtimeSymbols).flatMap(([module, names]) =>
      names.map((name) => `${name} from ${module}`),
    );
    const used = imports
      .filter(({ from }) => !from.startsWith("./"))
      .flatMap(({ from, names }) => names.map((name) => `${name} from ${from}`));
    expect([...new Set(used)].sort()).toEqual(listed.sort());
  });

  test("imports nothing but its siblings", () => {
    const others = imports.filter(({ from }) => !from.startsWith("service/runtime/"));
    expect(others.filter(({ from }) => !/^\.\/[a-z0-9-/]+\.js$/.test(from))).toEqual([]);
  });
});

interface EmittedImport {
  readonly from: string;
  readonly names: readonly string[];
}

function emittedImports(): readonly EmittedImport[] {
  const fixtures = join(repository, "fixtures");
  return readdirSync(fixtures, { recursive: true, encoding: "utf8" })
    .filter((path) => /\/generated\/.*\.ts$/.test(path) && !path.includes("/dist/"))
    .flatMap((path) => importsOf(readFileSync(join(fixtures, path), "utf8")));
}

function importsOf(text: string): readonly EmittedImport[] {
  return [...text.matchAll(/^import (?:type )?\{([^}]*)\} from "([^"]+)";$/gm)].map(
    ([, names = "", from = ""]) => ({
      from,
      names: names
        .split(",")
        .map((name) => name.trim().replace(/^type /, ""))
        .filter((name) => name !== ""),
    }),
  );
}

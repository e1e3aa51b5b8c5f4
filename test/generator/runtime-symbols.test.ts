import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { runtimeSymbols } from "../../generator/model/runtime-symbols.js";

const repository = resolve(import.meta.dirname, "../..");

describe.each(Object.entries(runtimeSymbols))("%s", (module, symbols) => {
  const room = module.replace(/^service-runtime\//, "");

  test("is an entry point of the package", () => {
    const { exports } = JSON.parse(readFileSync(join(repository, "runtime/package.json"), "utf8"));
    expect(exports[`./${room}`]).toEqual({
      types: `./dist/types/${room}/exports.d.ts`,
      default: `./dist/bundle/${room}.js`,
    });
  });

  test("exports every name that emitted code may use from it", () => {
    const exported = new Set(exportsOf(room).map(({ name }) => name));
    expect(symbols.filter((name) => !exported.has(name))).toEqual([]);
  });
});

const rooms = Object.keys(readJson("runtime/package.json").exports).flatMap((path) => {
  const [, room] = /^\.\/([\w-]+)$/.exec(path) ?? [];
  return room === undefined ? [] : [room];
});

describe("each export of the package", () => {
  const internal = new Set<string>(Object.values(runtimeSymbols).flat());
  const all = rooms.flatMap(exportsOf);

  test("is either named on the page on app code, or for generated code alone", () => {
    const page = readFileSync(join(repository, "docs/own-code.md"), "utf8");
    const section = /## What you can import\n([\s\S]*?)\n## /.exec(page)?.[1] ?? "";
    const rows = [...section.matchAll(/^\| `service-runtime\/([\w-]+)` \|(.*)\|/gm)];
    const documented = rows.flatMap(([, room = "", names = ""]) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name]) => `${name} of ${room}`),
    );
    const forUsers = all.filter(({ isInternal }) => !isInternal);
    expect(forUsers.map(({ room, name }) => `${name} of ${room}`).sort()).toEqual(
      documented.sort(),
    );
    const others = all.filter(({ isInternal, name }) => isInternal && !internal.has(name));
    expect(others).toEqual([]);
  });

  test("has a docstring at each declaration", () => {
    const bare = all.filter(({ name, path }) => {
      const declared = new RegExp(
        `\\*/\\nexport (?:async )?(?:function|const|class|interface|type) ${name}\\b`,
      );
      return !declared.test(readFileSync(path, "utf8"));
    });
    expect(bare.map(({ room, name }) => `${name} of ${room}`)).toEqual([]);
  });
});

function readJson(path: string) {
  return JSON.parse(readFileSync(join(repository, path), "utf8"));
}

interface Exported {
  readonly room: string;
  readonly name: string;
  /** The file that declares it. */
  readonly path: string;
  /** Whether it is for generated code alone. */
  readonly isInternal: boolean;
}

/** Of `export type { A } from …` and `export { type A, b } from …`. */
function exportsOf(room: string): readonly Exported[] {
  const folder = join(repository, "runtime", room);
  const text = readFileSync(join(folder, "exports.ts"), "utf8");
  const internalFrom = text.indexOf("// Internal: ");
  const found = [...text.matchAll(/export (?:type )?\{([^}]*)\} from "\.\/([^"]+)\.js"/g)];
  return found.flatMap(({ 1: names = "", 2: from = "", index }) =>
    names
      .split(",")
      .map((name) => name.trim().replace(/^type /, ""))
      .filter((name) => name !== "")
      .map((name) => ({
        room,
        name,
        path: join(folder, `${from}.ts`),
        isInternal: internalFrom >= 0 && index > internalFrom,
      })),
  );
}

describe("the emitted code of all fixtures", () => {
  const imports = emittedImports();

  test("imports from the runtime only names on the list", () => {
    const listed = Object.entries(runtimeSymbols).flatMap(([module, names]) =>
      names.map((name) => `${name} from ${module}`),
    );
    const used = imports
      .filter(({ from }) => !from.startsWith("."))
      .flatMap(({ from, names }) => names.map((name) => `${name} from ${from}`));
    expect([...new Set(used)].sort()).toEqual(listed.sort());
  });

  test("imports only its siblings, and the tables and shapes of other resources", () => {
    const others = imports.filter(({ from }) => !from.startsWith("service-runtime/"));
    expect(
      others.filter(
        ({ from }) =>
          !/^(?:\.\/[a-z0-9-/]+|\.\.\/[a-z0-9-]+\/(?:table|types|validation))\.js$/.test(from),
      ),
    ).toEqual([]);
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
  const named = [...text.matchAll(/^import (?:type )?\{([^}]*)\} from "([^"]+)";$/gm)].map(
    ([, names = "", from = ""]) => ({
      from,
      names: names
        .split(",")
        .map((name) => name.trim().replace(/^type /, ""))
        .filter((name) => name !== ""),
    }),
  );
  const whole = [...text.matchAll(/^import (?:type )?\* as (\w+) from "([^"]+)";$/gm)].map(
    ([, local = "", from = ""]) => ({
      from,
      names: [...text.matchAll(new RegExp(`\\b${local}\\.(\\w+)`, "g"))].map(
        ([, name = ""]) => name,
      ),
    }),
  );
  return [...named, ...whole];
}

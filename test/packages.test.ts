import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const cli: Manifest = readJson("package.json");
const runtime: Manifest = readJson("runtime/package.json");

function readJson(path: string) {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}

interface Packed {
  readonly name: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** What `npm pack` puts into each package. */
const packed: readonly Packed[] = JSON.parse(
  execFileSync(
    "npm",
    ["pack", "--dry-run", "--json", "--ignore-scripts", "--workspaces", "--include-workspace-root"],
    { cwd: root, encoding: "utf8", maxBuffer: 100_000_000 },
  ),
);

describe("the published package", () => {
  const kindsOf = (name: string) =>
    [
      ...new Set(packed.find((one) => one.name === name)?.files.map(({ path }) => kindOf(path))),
    ].sort();

  test("service-cli has the command, the modules for tests, templates and documentation", () => {
    expect(kindsOf("service-cli")).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "dist/bundle/*.js",
      "dist/bundle/LICENSES.md",
      "dist/bundle/chunks/**/*.js",
      "dist/types/**/*.d.ts",
      "docs/**",
      "package.json",
      "templates/**",
    ]);
  });

  test("service-runtime has an app's imports, the dashboard, the viewer of the API and migrations", () => {
    expect(kindsOf("service-runtime")).toEqual([
      "LICENSE",
      "README.md",
      "dist/bundle/*.js",
      "dist/bundle/LICENSES.md",
      "dist/bundle/chunks/**/*.js",
      "dist/docs/**",
      "dist/types/**/*.d.ts",
      "dist/web/**",
      "migrate/sql/*.sql",
      "package.json",
    ]);
  });
});

test("no code and no types are published that nothing imports", () => {
  const paths = packed
    .flatMap(({ name, files }) => files.map(({ path }) => join(folderOf(name), path)))
    .filter((path) => /\/dist\/(?:bundle|types)\/.*\.(?:js|d\.ts)$/.test(path));
  const named = new Set([...paths.flatMap(importsOf), ...[cli, runtime].flatMap(entriesOf)]);
  expect(paths.filter((path) => !named.has(path))).toEqual([]);
});

function folderOf(name: string): string {
  return join(root, name === runtime.name ? "runtime" : "");
}

/** The files that the manifest of a package names. */
function entriesOf(manifest: Manifest): readonly string[] {
  const found = JSON.stringify(manifest).matchAll(/"(\.|service-runtime)(\/dist\/[^"]+)"/g);
  return [...found].map(([, start = "", path = ""]) =>
    join(folderOf(start === "." ? manifest.name : start), path),
  );
}

/** The files of both packages that one of them imports. */
function importsOf(path: string): readonly string[] {
  const found = readFileSync(path, "utf8").matchAll(/"(\.|\.\.|service-runtime)(\/[^"\n]+)\.js"/g);
  const end = path.endsWith(".d.ts") ? ".d.ts" : ".js";
  return [...found].map(([, start = "", rest = ""]) =>
    join(start === runtime.name ? folderOf(start) : join(dirname(path), start), rest + end),
  );
}

/** A path, or the pattern of all like it. */
function kindOf(path: string): string {
  const folder = /^(?:docs|templates|dist\/docs|dist\/web)\//.exec(path)?.[0];
  if (folder !== undefined) return `${folder}**`;
  return path
    .replace(/^(dist\/(?:bundle\/chunks|types)\/).*?(\.d\.ts|\.[^.]+)$/, "$1**/*$2")
    .replace(/^(dist\/bundle|migrate\/sql)\/[^/]+(\.js|\.sql)$/, "$1/*$2");
}

test("both packages have one version, and the command requires its runtime's", () => {
  expect(runtime.version).toBe(cli.version);
  expect(cli.peerDependencies).toEqual({ "service-runtime": runtime.version });
});

describe.each([
  { folder: "dist/bundle", manifest: cli, notImported: [] as string[] },
  { folder: "runtime/dist/bundle", manifest: runtime, notImported: ["zod"] },
])("the code of $manifest.name", ({ folder, manifest, notImported }) => {
  const imported = importedBy(folder);
  const { dependencies, optionalDependencies = {}, peerDependencies = {} } = manifest;

  test("imports no package that is not its dependency", () => {
    const known = { ...dependencies, ...optionalDependencies, ...peerDependencies };
    expect(imported.filter((name) => !(name in known))).toEqual([]);
  });

  test("imports each of its dependencies", () => {
    const unused = Object.keys(dependencies).filter((name) => !imported.includes(name));
    expect(unused).toEqual(notImported);
  });
});

/** The packages that bundled files import or require, sorted. */
function importedBy(folder: string): readonly string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js") && name !== "in-bundle.js")
    .flatMap((name) => {
      const text = readFileSync(join(root, folder, name), "utf8");
      const found = text.matchAll(
        /(?:^import |^import\b[^;"]*\bfrom |^export\b[^;"]*\bfrom |\bimport\(|\brequire\(|\bcreateRequire\([^()]*\)(?:\.resolve)?\()"([^".#][^"]*)"/gm,
      );
      return [...found].map(([, specifier = ""]) => packageOf(specifier));
    });
  return [...new Set(names)].filter((name) => !isBuiltIn(name)).sort();
}

function packageOf(specifier: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? "";
}

function isBuiltIn(name: string): boolean {
  return name.startsWith("node:") || builtinModules.includes(name) || name.startsWith("service-");
}

describe("an app's installation for production", () => {
  const installed = installedWith("runtime");

  test("has at most 190 packages", () => {
    // With the package itself.
    expect(installed.size + 1).toBeLessThanOrEqual(190);
  });

  test("takes at most 75 MB", () => {
    const own = packed.find(({ name }) => name === runtime.name)?.files ?? [];
    const sizes = [...own.map(({ size }) => size), ...[...installed].map(bytesIn)];
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(75_000_000);
  });

  test("has no parser or compiler of TypeScript, no template engine and no file watcher", () => {
    const names = new Set([...installed].map((path) => path.replace(/^.*node_modules\//, "")));
    const unwanted = ["chokidar", "handlebars", "oxc-parser", "ts-morph", "typescript"];
    expect(unwanted.filter((name) => names.has(name))).toEqual([]);
    expect([...names].filter((name) => name.startsWith("@types/"))).toEqual([]);
  });
});

/** The bytes in the files of an installed package, without the packages inside it. */
function bytesIn(place: string): number {
  return readdirSync(join(root, place), { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && !relative(join(root, place), entry.parentPath).includes("node_modules"),
    )
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size)
    .reduce((sum, size) => sum + size, 0);
}

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

/** The packages in the lock file that come with one, on this kind of machine: Linux, x64, glibc. */
function installedWith(from: string): ReadonlySet<string> {
  const { packages }: { packages: Readonly<Record<string, Locked>> } =
    readJson("package-lock.json");
  const found = new Set<string>();
  const visit = (path: string) => {
    const { dependencies, optionalDependencies } = packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = placeOf(packages, path, name);
      if (place === null || found.has(place) || !isForLinux(packages[place] ?? {})) continue;
      found.add(place);
      visit(place);
    }
  };
  visit(from);
  return found;
}

/** Where a package finds another one: below itself, or above. */
function placeOf(packages: object, path: string, name: string): string | null {
  const place = `${path === "" ? "" : `${path}/`}node_modules/${name}`;
  if (place in packages) return place;
  if (path === "") return null;
  const end = path.lastIndexOf("/node_modules/");
  return placeOf(packages, end < 0 ? "" : path.slice(0, end), name);
}

function isForLinux({ os, cpu, libc }: Locked): boolean {
  const suits = (wanted: readonly string[] | undefined, own: string) =>
    wanted === undefined || wanted.includes(own);
  return suits(os, "linux") && suits(cpu, "x64") && suits(libc, "glibc");
}

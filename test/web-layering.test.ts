import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { importCycles } from "./support/import-cycles.js";

const root = join(import.meta.dirname, "../runtime/dashboard/web");

/** The folders of the web app by layer, lowest first; folders of one layer do not import each other. */
const layers = [
  ["text", "theme"],
  ["parts", "api", "browser"],
  ["kinds"],
  ["charts", "rules"],
  ["form", "sign-in", "undo"],
  ["home"],
  ["screens"],
  ["shell"],
  ["."],
];

/** The most files that are still read as a table of contents. */
const maxFiles = 14;

interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** Relative to the web app's folder. */
  readonly imports: readonly string[];
  readonly packages: readonly string[];
}

const names = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
  statSync(join(root, name)).isFile(),
);

const files = names
  .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".d.ts"))
  .map((path): SourceFile => {
    const text = readFileSync(join(root, path), "utf8");
    const found = [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, to = ""]) => to);
    return {
      path,
      text,
      imports: found.filter((to) => to.startsWith(".")).map((to) => resolved(path, to)),
      packages: found.filter((to) => !to.startsWith(".")),
    };
  });

function resolved(from: string, to: string): string {
  const path = relative(root, join(root, dirname(from), to));
  const candidates = [path, path.replace(/\.js$/, ".ts"), path.replace(/\.js$/, ".tsx")];
  return candidates.find((one) => existsSync(join(root, one))) ?? path;
}

/** `parts`, or `.` for the files that put everything together. */
function folderOf(path: string): string {
  return path.includes("/") ? (path.split("/")[0] ?? "") : ".";
}

function screenOf(path: string): string | undefined {
  return /^screens\/([^/]+)\//.exec(path)?.[1];
}

const layerOf = (path: string) => layers.findIndex((folders) => folders.includes(folderOf(path)));

function violations(isAllowed: (from: string, to: string) => boolean): readonly string[] {
  return files.flatMap(({ path, imports }) =>
    imports.filter((to) => !isAllowed(path, to)).map((to) => `${path} → ${to}`),
  );
}

test("finds the web app and its imports", () => {
  expect(files.length).toBeGreaterThan(30);
  expect(files.flatMap(({ imports }) => imports).length).toBeGreaterThan(100);
  expect(files.map(({ path }) => path).filter((path) => layerOf(path) < 0)).toEqual([]);
});

test("a folder imports only lower layers, and itself", () => {
  expect(
    violations((from, to) => folderOf(from) === folderOf(to) || layerOf(to) < layerOf(from)),
  ).toEqual([]);
});

test("the folders of a folder do not import each other in a circle", () => {
  const steps = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    for (const to of imports) {
      const [from, other] = [dirname(path), dirname(to)];
      // A folder and one within it are compared file by file, below.
      if (`${from}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${from}/`)) continue;
      steps.set(from, (steps.get(from) ?? new Set()).add(other));
    }
  }
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(steps.get(from) ?? [])].some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      return reaches(next, to, seen.add(next));
    });
  expect([...steps.keys()].filter((folder) => reaches(folder, folder))).toEqual([]);
});

test("a folder is divided into what its parts import, and what imports them", () => {
  const importsOf = new Map(files.map(({ path, imports }) => [path, imports]));
  const reached = (from: string, seen = new Set<string>()): Set<string> => {
    for (const to of importsOf.get(from) ?? []) {
      if (!seen.has(to)) reached(to, seen.add(to));
    }
    return seen;
  };
  const back = files.flatMap(({ path, imports }) =>
    imports.flatMap((to) => {
      const folder = `${dirname(to)}/`;
      if (!path.startsWith(folder) || dirname(path) === dirname(to)) return [];
      const part = `${folder}${path.slice(folder.length).split("/")[0]}/`;
      return [...reached(to)]
        .filter((one) => one.startsWith(part))
        .map((one) => `${path} → ${to} → … ${one}`);
    }),
  );
  expect(back).toEqual([]);
});

test("no file imports another in a circle, types included", () => {
  expect(importCycles(files)).toEqual([]);
});

test("no folder has more files than a table of contents", () => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(dirname(name), (counts.get(dirname(name)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > maxFiles)).toEqual([]);
});

test("no file is longer than 250 lines", () => {
  const lines = (name: string) => readFileSync(join(root, name), "utf8").trimEnd().split("\n");
  expect(names.filter((name) => lines(name).length > 250)).toEqual([]);
});

test("screens never import each other", () => {
  expect(
    violations(
      (from, to) =>
        screenOf(from) === undefined ||
        screenOf(to) === undefined ||
        screenOf(from) === screenOf(to),
    ),
  ).toEqual([]);
});

test("React Aria is imported by sub-path, and by parts only", () => {
  const found = files.flatMap(({ path, packages }) =>
    packages.filter((name) => name.startsWith("react-aria")).map((name) => [path, name] as const),
  );
  expect(found.length).toBeGreaterThan(5);
  expect(
    found.filter(
      ([path, name]) => folderOf(path) !== "parts" || !/^react-aria-components\/\w+$/.test(name),
    ),
  ).toEqual([]);
});

test.each([
  ["fetch is called in one file", /\bfetch\(/, ["api/client/client.ts"]],
  ["uploads have one file, for their progress", /\bXMLHttpRequest\b/, ["api/records/uploads.ts"]],
  ["browser storage is used in one file", /\blocalStorage\b/, ["browser/storage/preferences.ts"]],
  ["session storage is used in one file", /\bsessionStorage\b/, ["api/client/stored.ts"]],
  [
    "the browser's history has one file",
    /\bhistory\.(?:back|forward|go|length|pushState|replaceState|scrollRestoration|state)\b/,
    ["browser/address/address.ts"],
  ],
  ["the current time has one source", /Date\.now\(\)|new Date\(\)/, ["text/dates.ts"]],
  ["nothing is written as HTML", /dangerouslySetInnerHTML|innerHTML/, []],
  ["nothing is logged", /console\./, []],
])("%s", (_, pattern, expected) => {
  const found = files.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
  expect(found.filter((path) => !expected.includes(path))).toEqual([]);
});

test("every sentence is in a file of the language", () => {
  // Words between tags, or in the attributes that are read out.
  const words =
    /(?<![=-])>\s*[A-Z][a-z]+(?: [\w,]+)+[^<>{}=;]*<\/|(?:aria-label|label|title|alt|placeholder)="[A-Za-z]/;
  const found = files.filter(({ path, text }) => path.endsWith(".tsx") && words.test(text));
  expect(found.map(({ path, text }) => `${path}: ${words.exec(text)?.[0]}`)).toEqual([]);
});

test("style sheets contain no colours and no !important", () => {
  const sheets = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".css") && name !== "theme/tokens.css")
    .map((name) => ({ name, text: readFileSync(join(root, name), "utf8") }));
  const named = /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(|!important|z-index: \d/i;
  expect(sheets.filter(({ text }) => named.test(text)).map(({ name }) => name)).toEqual([]);
});

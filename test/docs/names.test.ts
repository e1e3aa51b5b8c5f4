import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { run } from "../../bin/program.js";
import { kinds } from "../../generator/kind/kinds.js";
import { reads, writes } from "../bench/cases.js";
import { readFigures } from "../bench/figures/file.js";
import { speedOf, tablesOf } from "../bench/figures/print.js";
import { page, pages } from "./pages.js";

const root = join(import.meta.dirname, "../..");

/** Everything that a page shows as code in its prose. */
function codeOf(name: string): string[] {
  const prose = page(name).text.replace(/^```.*?^```$/gms, "");
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
}

describe("the figures that `npm run bench` wrote", () => {
  const figures = readFigures(root);

  test.each(["README", "docs/deployment"])(
    "are the only requests per second that %s states",
    (name) => {
      const section = `<!-- figures -->\n${speedOf(figures)}\n<!-- /figures -->`;
      const { text } = page(name);
      expect(text).toContain(section);
      expect(text.replace(section, "")).not.toMatch(/\d ×|\d(?: [a-z]+)* a second|\d\/s\b/);
    },
  );

  test("are the only ones that the page on performance states", () => {
    const section = `<!-- figures -->\n${tablesOf(figures)}\n<!-- /figures -->`;
    const { text } = page("docs/performance");
    expect(text).toContain(section);
    expect(text.replace(section, "")).not.toMatch(/^\|[^|]+\| [\d,.]+ \|/m);
  });

  test("are of cases that still exist", () => {
    const known = [...reads, ...writes].map(({ name }) => name);
    const stated = figures.cases.map(({ name }) => name);
    expect(stated.filter((name) => !known.includes(name))).toEqual([]);
  });
});

test("the files and folders that the page on contributing names exist", () => {
  const tops = /^(?:bin|generator|runtime|templates|fixtures|test|docs|\.ci)\/[\w./-]*$/;
  const paths = codeOf("docs/contributing").filter((code) => tops.test(code));
  expect(paths.length).toBeGreaterThan(30);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("the files and folders that comments name exist", () => {
  const named = ["bin", "generator", "runtime"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:tsx?|sql)$/.test(name) && !name.startsWith("dist/"))
      .flatMap((name) => {
        const text = readFileSync(join(root, folder, name), "utf8");
        const paths = text.matchAll(
          /^\s*(?:\*|\/\*|\/\/|--).*?`((?:bin|generator|runtime|templates|fixtures|test|docs)\/[\w./-]+)`/gm,
        );
        return [...paths].map(([, path = ""]) => `${path}, named in ${folder}/${name}`);
      }),
  );
  expect(named.length).toBeGreaterThan(5);
  const isThere = (one: string) => existsSync(join(root, one.slice(0, one.indexOf(","))));
  expect(named.filter((one) => !isThere(one))).toEqual([]);
});

test("the page on contributing names every room", () => {
  const rooms = ["runtime", "generator", "generator/schema"].flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !["dist", "schema"].includes(entry.name))
      .map(({ name }) => `${folder}/${name}/`),
  );
  const named = codeOf("docs/contributing");
  expect(rooms.filter((room) => !named.includes(room))).toEqual([]);
});

/** `542 files`: what the repository holds, which the next change makes wrong. A limit is `at most 20 files`. */
const counted =
  /(?<!(?:at most|up to|than|to) )\b\d[\d,]* (?:(?:test|source|TypeScript) )?(?:files|modules|tests|journeys|golden cases|commits|lines of code)\b/g;

test("no page states the number of things in the repository", () => {
  const current = pages.filter(({ name }) => name !== "CHANGELOG");
  const counts = current.flatMap(({ path, text }) =>
    [...text.matchAll(counted)].map(([words]) => `${path}: ${words}`),
  );
  expect(counts).toEqual([]);
  expect("The tool has 542 files, 3,021 tests".match(counted)).toEqual([
    "542 files",
    "3,021 tests",
  ]);
});

test("the page on the dashboard names every icon that it draws", () => {
  const path = join(root, "runtime/dashboard/web/parts/button/resource-icon.tsx");
  const drawn = [
    ...readFileSync(path, "utf8").matchAll(/^ {2}"?([a-z]+(?:-[a-z]+)*)"?:(?= "|$)/gm),
  ];
  const section = /## Icons\n([\s\S]*)/.exec(page("docs/dashboard").text)?.[1] ?? "";
  const named = [...section.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name);
  expect(named.slice(1, -1)).toEqual(drawn.map(([, name]) => name).sort());
});

test("the page on commands has every command and option, and no other", async () => {
  const rows = page("docs/commands")
    .text.split("\n")
    .filter((line) => line.startsWith("| `"));
  const listed = rows.flatMap((row) => {
    const [, names = "", , options = ""] = row.split("|");
    return [...names.matchAll(/`([a-z-]+(?: [a-z-]+)?)(?: [<[][\w.]+[>\]])*`/g)].map(
      ([, name = ""]) => `${name}: ${longOptions(options)}`,
    );
  });
  const commands = listed.map((line) => line.slice(0, line.indexOf(":")));
  const known: string[] = [];
  for (const name of commands) known.push(`${name}: ${longOptions(await help(name))}`);
  expect(listed).toEqual(known);
  const top = await help("");
  const groups = ["add", "db", "jobs", "user", "token", "uploads", "search"];
  const named = namesIn(top);
  for (const group of groups) {
    named.push(...namesIn(await help(group)).map((name) => `${group} ${name}`));
  }
  const leaves = named.filter((name) => !groups.includes(name) && !/\bhelp$/.test(name));
  expect(commands.toSorted()).toEqual(leaves.toSorted());
});

test("the help of every command and group ends with an example of it, with existing options", async () => {
  const helps = new Map([["", await help("")]]);
  for (const [command, text] of helps) {
    for (const name of namesIn(text).filter((one) => one !== "help")) {
      const below = `${command} ${name}`.trim();
      helps.set(below, await help(below));
    }
  }
  expect(helps.size).toBeGreaterThan(35);
  for (const [command, text] of helps) {
    const [, example = ""] = /\nExample:\nnpx service (.+)\n$/.exec(text) ?? [];
    expect(example.startsWith(command) && example !== "", `an example of ${command}`).toBe(true);
    const run = [...helps.keys()].filter((one) => `${example} `.startsWith(`${one} `)).at(-1) ?? "";
    const unknown = longOptions(example)
      .split(" ")
      .filter((option) => !helps.get(run)?.includes(option));
    expect(unknown, example).toEqual([]);
  }
});

/** The commands that a help lists. */
function namesIn(text: string): string[] {
  const found = (text.split("Commands:")[1] ?? "").matchAll(/^ {2}([a-z-]+)/gm);
  return [...found].map(([, name = ""]) => name);
}

/** What `--help` prints for a command; "" is the program itself. */
async function help(command: string): Promise<string> {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    await run([...command.split(" ").filter((word) => word !== ""), "--help"]);
    return write.mock.calls.map(([text]) => String(text)).join("");
  } finally {
    write.mockRestore();
  }
}

/** As `--a --b`, without the one that every command has. */
function longOptions(text: string): string {
  const found = [...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([option]) => option);
  return [...new Set(found)]
    .filter((option) => option !== "--help")
    .sort()
    .join(" ");
}

describe("the page on configuration", () => {
  test("has every variable", () => {
    const source = readFileSync(join(root, "runtime/config/environment/variables.ts"), "utf8");
    const known = [...source.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name = ""]) => name);
    expect(known.length).toBeGreaterThan(8);
    const listed = codeOf("docs/configuration");
    expect(known.filter((name) => !listed.includes(name))).toEqual([]);
  });
});

test("the page on descriptors has every kind of field and each of its options", () => {
  const { text } = page("docs/descriptors");
  const rows = new Map(
    [...text.matchAll(/^\| `(\w+)` \| (.*)$/gm)].map(([, name = "", row = ""]) => [name, row]),
  );
  const common = [
    "type",
    "required",
    "default",
    "label",
    "description",
    "help",
    "placeholder",
  ].concat(["was", "column", "readOnly", "columnDefault", "access", "computed", "index", "list"]);
  const missing = kinds.flatMap(({ name, options }) =>
    Object.keys(options.shape)
      .filter((option) => !common.includes(option) && !rows.get(name)?.includes(`\`${option}`))
      .map((option) => `${name}.${option}`),
  );
  expect(missing).toEqual([]);
});

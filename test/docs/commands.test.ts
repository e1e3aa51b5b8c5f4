import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { newProgram } from "../../bin/program.js";
import { pages, proseOf } from "./pages.js";

// Commands in blocks are run: see `blocks.test.ts`. Here are those within sentences.

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** What a shell would take: `npx service user create --email you@example.com`. */
const isCommand =
  /^(?:[A-Z_]+=\S+ )?(?:npx|npm|node|docker|kubectl|systemctl|systemd-run|journalctl|curl|openssl|pg_dump|useradd|install|chmod) ./;

interface Shown {
  readonly page: string;
  readonly text: string;
}

const shown: readonly Shown[] = pages
  .filter(({ name }) => name !== "CHANGELOG")
  .flatMap((page) => {
    const codes = proseOf(page).matchAll(/`([^`\n]+)`/g);
    return [...codes].map(([, text = ""]) => ({ page: page.name, text }));
  });

/** Those of other programs, by how they begin, which no test runs. */
const exceptions: Readonly<Record<string, string>> = {
  "curl ":
    "of the page on the dashboard, what an old proxy is asked; of that on files, options alone",
  "docker compose ":
    "Docker: `test/cli/deploy` reads the files, and a long test builds the image's stages",
  "kubectl ": "a cluster: `test/cli/deploy` checks the manifests by their schemas",
  "systemctl ": "an init system: `test/cli/deploy` checks the unit by `systemd-analyze`",
  "systemd-run ": "the same",
  "journalctl ": "the same",
  "useradd ": "accounts of the machine",
  "install ": "the same",
  "chmod ": "the same",
  "openssl rand ": "random bytes",
  "pg_dump ": "a program of PostgreSQL's, with an address that `db url` prints, which is tested",
  "node dist/fixtures/pictures/make.js": "needs ImageMagick, exiftool and avifenc",
  "npm install ": "the network: a long test installs the package, others link what they need",
  "npm version ": "of a release",
  "npm ci": "`.ci/run` begins with it",
  "npm start": "named as what not to use",
  "VITE_API_URL=": "a server of Vite's, whose build `test/app/browser.long.test.ts` runs",
};

test("every service command in a sentence exists, with its options", () => {
  const program = newProgram(() => {});
  const commands = shown.flatMap(({ page, text }) => {
    const found = [...text.matchAll(/(?:^|npx |bin\/)service ((?:-C|[a-z])[^"|)]*)/g)];
    return found.map(([, words = ""]) => ({ page, words: words.trim() }));
  });
  expect(commands.length).toBeGreaterThan(90);
  const wrong = commands.flatMap(({ page, words }) => {
    const mistake = mistakeIn(program, words.split(/\s+/));
    return mistake === null ? [] : [`${page}: service ${words}: ${mistake}`];
  });
  expect(wrong).toEqual([]);
  expect(mistakeIn(program, ["user", "crate"])).toBe("there is no crate");
  expect(mistakeIn(program, ["user", "create", "--mail", "a@b.example"])).toBe(
    "there is no --mail",
  );
  expect(mistakeIn(program, ["jobs", "retry", "1", "2"])).toBe("too many arguments");
});

/** What is wrong with the words behind `service`; placeholders such as `<id>` stand for values. */
function mistakeIn(program: Command, words: readonly string[]): string | null {
  let command = program;
  const left = words.filter((word) => word !== "<command>");
  while (command.commands.length > 0 && left[0] !== undefined && !left[0].startsWith("-")) {
    const [name] = left;
    const next = command.commands.find((one) => one.name() === name);
    if (next === undefined) return `there is no ${name}`;
    command = next;
    left.shift();
  }
  let values = 0;
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (!/^--?[a-zA-Z]/.test(word)) {
      values += 1;
      continue;
    }
    const option = command.options.find(({ long, short }) => long === word || short === word);
    if (option === undefined && word !== "--help") return `there is no ${word}`;
    if (option?.required === true && left.length > 0) left.shift();
  }
  const { registeredArguments: known } = command;
  const most = known.some(({ variadic }) => variadic) ? Number.POSITIVE_INFINITY : known.length;
  return values > most ? "too many arguments" : null;
}

test("every script in a sentence is one of the package or of a new app", () => {
  const manifests = ["package.json", "templates/starter/package.json.hbs"].map(read).join("\n");
  const scripts = shown.flatMap(({ page, text }) => {
    const [, name] = /(?:^| )npm (?:run )?([a-z:-]+)/.exec(text) ?? [];
    const isOwn = name !== undefined && !/^(?:ci|install|pack|version)$/.test(name);
    return isOwn ? [{ page, name }] : [];
  });
  expect(scripts.length).toBeGreaterThan(20);
  const unknown = scripts.filter(({ name }) => !manifests.includes(`"${name}": "`));
  expect(unknown).toEqual([]);
});

test("every other command in a sentence is a vitest run of files that exist, or an exception with its reason", () => {
  const others = shown
    .map(({ text }) => text)
    .filter(
      (text) => isCommand.test(text) && !/^npx service\b|^(?:BY=\w+ )?npm (?:run|test)/.test(text),
    );
  const runs = others.filter((text) => /^(?:[A-Z]+=\S+ )?npx vitest run/.test(text));
  const config = read("vitest.config.ts");
  const tests = readdirSync(join(root, "test"), { recursive: true }).map((path) => `test/${path}`);
  for (const run of runs) {
    const [, project, file] = / --project (\w+)| (test\/\S+)/.exec(run) ?? [];
    if (project !== undefined) expect(config).toMatch(new RegExp(`\\b${project}\\b`));
    if (file !== undefined) expect(tests.filter((path) => path.startsWith(file))).not.toEqual([]);
  }
  const names = Object.keys(exceptions);
  const unknown = others
    .filter((text) => !runs.includes(text))
    .filter((text) => !names.some((name) => text.startsWith(name)));
  expect(unknown).toEqual([]);
  const unused = names.filter((name) => !others.some((text) => text.startsWith(name)));
  expect(unused).toEqual([]);
});

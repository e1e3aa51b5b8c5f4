import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, expect, test } from "vitest";
import { shellWord } from "../../runtime/command/app/command-line.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { plain, program, runCommand } from "../support/processes/commands.js";
import { repository } from "./service.js";

/** Holds the app, whose name a shell would take for several words. */
let folder: string;
const app = "it's my shop";

beforeEach(async () => {
  folder = makeAppFolder();
  await run(["init", app]);
});
afterEach(() => {
  removeAppFolder(join(folder, app));
  removeAppFolder(folder);
});

function run(args: readonly string[], cwd = folder) {
  return runCommand({ args, cwd, env: { ...process.env, ...plain } });
}

/** What a shell makes of a command that was printed; there is no npx to find this package by. */
function paste(command: string, cwd = folder) {
  const own = command.replace(/^npx service /, `${process.execPath} ${program} `);
  return execa("sh", ["-c", own], { cwd, env: plain, reject: false });
}

const toGenerate = /run: (npx service .*generate.*)$/m;

const places: readonly (readonly [string, string, readonly string[], string])[] = [
  ["with -C .", app, ["-C", "."], "npx service generate"],
  ["in another folder", "", ["-C", app], `npx service -C 'it'\\''s my shop' generate`],
  ["in the app's folder", app, [], "npx service generate"],
];
test.for(places)(
  "a command in a hint can be pasted: typed %s",
  async ([_, where, place, command]) => {
    const cwd = join(folder, where);
    const missing = await run([...place, "generate", "--check"], cwd);
    expect(missing.exitCode).toBe(1);
    expect(toGenerate.exec(missing.stderr)?.[1]).toBe(command);
    expect((await paste(command, cwd)).exitCode).toBe(0);
    expect((await run([...place, "generate", "--check"], cwd)).exitCode).toBe(0);
  },
);

test("a command in a problem's hint and in JSON can be pasted, too", async () => {
  await run(["-C", app, "generate"]);
  const path = join(folder, app, "resources/tasks.yaml");
  writeFileSync(path, readFileSync(path, "utf8").replace(/^.*dueOn.*\n/m, ""));
  const refused = await run(["-C", app, "generate"]);
  const [, command = ""] = toGenerate.exec(refused.stderr) ?? [];
  expect(command).toBe(
    `npx service -C 'it'\\''s my shop' generate --allow-destructive tasks.dueOn`,
  );
  const { problems } = JSON.parse((await run(["-C", app, "generate", "--json"])).stdout);
  expect(problems[0].hint).toBe(`if that is intended, run: ${command}`);
  expect((await paste(command)).exitCode).toBe(0);
});

test("init names the folder of the new app only", async () => {
  const { stdout } = await run(["-C", app, "init", "inner"]);
  expect(stdout).toMatch(
    /\n {2}cd 'it'\\''s my shop\/inner'\n {2}npm install\n {2}npx service dev$/,
  );
  const { stderr } = await run(["-C", folder, "doctor"], join(folder, app));
  expect(stderr).toContain("npx service init <dir> creates a new app");
});

test("a shell reads every folder as one word", async () => {
  for (const text of ["plain/a-b_c.d", "it's", "two words", "$HOME", "-x", "", "a\nb", '"', "é"]) {
    const { stdout } = await execa("sh", ["-c", `printf %s ${shellWord(text)}`]);
    expect(stdout).toBe(text.startsWith("-") ? `./${text}` : text);
  }
});

/** Headers of files name the tool that made the file; those of migrations are recognised by a pattern. */
const headers = [
  "generator/client/client.ts",
  "generator/emit/file.ts",
  "runtime/values/schema/history/history.ts",
];

test("every command in a message runs in the app's folder as it is printed", () => {
  const bare =
    /(?<!npx )\bservice (?:-C|db|dev|doctor|generate|init|migrate|uploads|user|dashboard)\b/;
  const sources = ["bin", "generator", "runtime", "templates"].flatMap((part) =>
    readdirSync(join(repository, part), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:ts|md\.hbs)$/.test(name))
      .map((name) => `${part}/${name}`),
  );
  expect(sources.length).toBeGreaterThan(400);
  const found = sources
    .filter((path) => !headers.includes(path))
    .flatMap((path) =>
      readFileSync(join(repository, path), "utf8")
        .split("\n")
        .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line) && bare.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});

import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { service, starterApp } from "./service.js";

let root: string;

beforeEach(async () => {
  root = await starterApp();
});
afterEach(() => removeAppFolder(root));

const emitted = ["app.ts", "descriptors.json", "manifest.json"].concat(
  ["queries", "routes", "table", "types", "validation"].map((name) => `tasks/${name}.ts`),
);
const migrations = ["0001_create_tasks.json", "0001_create_tasks.sql", "schema.json"];
const everything = [
  ...emitted.map((name) => `generated/${name}`),
  ...migrations.map((name) => `migrations/${name}`),
];

test("writes the generated files, names the migration, and then finds nothing to do", async () => {
  const first = await service(root, ["generate"]);
  expect(first.exitCode).toBe(0);
  expect(first.stdout).toContain("New migration: migrations/0001_create_tasks.sql");
  for (const path of everything) expect(existsSync(join(root, path)), path).toBe(true);
  const second = await service(root, ["generate"]);
  expect(second.stdout).toBe("generated/ and migrations/ are up to date");
  const check = await service(root, ["generate", "--check"]);
  expect(check.exitCode).toBe(0);
});

test("names what becomes public, later fields too; --check compares public.json", async () => {
  const descriptor = join(root, "resources/notes.yaml");
  const published = join(root, "generated/public.json");
  const write = (access: string, more = "") =>
    writeFileSync(descriptor, `access: ${access}\nfields:\n  title: { type: string }\n${more}`);
  const later = "  hint: { type: string }\n";
  const lines = ({ stdout }: { stdout: string }) =>
    stdout.split("\n").filter((line) => line.startsWith("public: "));

  write("{ list: public }");
  const all = [
    "notes list",
    ...["id", "title", "createdAt", "updatedAt"].map((of) => `notes.${of}`),
  ];
  expect(lines(await service(root, ["generate"]))).toEqual(all.map((line) => `public: ${line}`));
  write("{ list: public }", later);
  const check = await service(root, ["generate", "--check"]);
  expect([check.exitCode, lines(check)]).toEqual([1, ["public: notes.hint"]]);
  expect(check.stderr).toContain("generated/public.json: out of date\n");
  expect(readFileSync(published, "utf8")).not.toContain("hint");
  expect(lines(await service(root, ["generate"]))).toEqual(["public: notes.hint"]);
  expect(readFileSync(published, "utf8")).toContain("hint");
  appendFileSync(published, "\n");
  const edited = await service(root, ["generate", "--check"]);
  expect(edited.stderr).toContain("generated/public.json: edited manually\n");
  write("{ list: signed-in }", later);
  expect(lines(await service(root, ["generate"]))).toEqual([]);
  expect(existsSync(published)).toBe(false);
});

test("--check names every missing file and writes none", async () => {
  const { exitCode, stdout, stderr } = await service(root, ["generate", "--check"]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  for (const path of everything) expect(stderr).toContain(`${path}: missing\n`);
  expect(existsSync(join(root, "generated"))).toBe(false);
  expect(existsSync(join(root, "migrations"))).toBe(false);
});

test("--check names edited, missing, outdated and left-over files; generate restores and names the edited", async () => {
  await service(root, ["generate"]);
  appendFileSync(join(root, "generated/tasks/types.ts"), "// mine\n");
  rmSync(join(root, "generated/tasks/routes.ts"));
  leaveOver("generated/old.ts");
  writeFileSync(join(root, "generated/mine.ts"), "");
  appendFileSync(join(root, "resources/tasks.yaml"), "singular: Job\n");

  const check = await service(root, ["generate", "--check", "--json"]);
  expect(check.exitCode).toBe(1);
  const { problems, changes, migration } = JSON.parse(check.stdout);
  expect({ problems, migration }).toEqual({ problems: [], migration: null });
  expect(changes).toEqual(
    expect.arrayContaining([
      { path: "generated/tasks/types.ts", change: "outdated", edited: true },
      { path: "generated/tasks/routes.ts", change: "missing", edited: false },
      { path: "generated/tasks/validation.ts", change: "outdated", edited: false },
      { path: "generated/old.ts", change: "stale", edited: false },
    ]),
  );
  const words = await service(root, ["generate", "--check"]);
  expect(words.stderr).toContain("generated/tasks/types.ts: edited manually\n");

  const restored = await service(root, ["generate"]);
  expect(restored.exitCode).toBe(0);
  expect(restored.stderr).toBe(
    "generated/tasks/types.ts had been edited manually and was overwritten",
  );
  expect(restored.stdout).toContain("removed  generated/old.ts");
  expect(readFileSync(join(root, "generated/tasks/types.ts"), "utf8")).not.toContain("mine");
  expect(existsSync(join(root, "generated/old.ts"))).toBe(false);
  expect(existsSync(join(root, "generated/mine.ts"))).toBe(true);
  expect((await service(root, ["generate", "--check"])).exitCode).toBe(0);
});

/** An empty file that the tool wrote once and makes no longer. */
function leaveOver(path: string): void {
  const manifest = join(root, "generated/manifest.json");
  const known = JSON.parse(readFileSync(manifest, "utf8"));
  const hash = createHash("sha256").update("").digest("hex");
  writeFileSync(manifest, JSON.stringify({ ...known, [path]: hash }));
  writeFileSync(join(root, path), "");
}

test("never touches the user's files", async () => {
  await service(root, ["generate"]);
  const own = [
    "server.ts",
    "service.yaml",
    "resources/tasks.yaml",
    "migrations/0001_create_tasks.sql",
  ];
  for (const path of own)
    appendFileSync(join(root, path), path.endsWith(".sql") ? "-- my own\n" : "\n\n");
  const before = own.map((path) => readFileSync(join(root, path), "utf8"));
  await service(root, ["generate"]);
  expect(own.map((path) => readFileSync(join(root, path), "utf8"))).toEqual(before);
});

test("reports once what breaks servers of the previous release, with its statement", async () => {
  await service(root, ["generate"]);
  writeFileSync(
    join(root, "resources/tasks.yaml"),
    "fields:\n  heading: { type: string, required: true, was: title }\n",
  );
  const agreed = ["generate", "--allow-destructive", "tasks"];
  const { exitCode, stderr } = await service(root, agreed);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: expect.stringMatching(
      /migrations\/0002_\S+\.sql is @breaking: servers of the previous release cannot work after alter table tasks rename column title to heading;\n/,
    ),
  });
  expect((await service(root, ["generate"])).stderr).not.toContain("@breaking");
});

test("names the migration as the option says", async () => {
  const { stdout } = await service(root, ["generate", "--name", "First steps", "--json"]);
  expect(JSON.parse(stdout).migration).toBe("0001_first_steps");
  expect(existsSync(join(root, "migrations/0001_first_steps.sql"))).toBe(true);
});

test("prints the problems of all files at once and writes nothing", async () => {
  writeFileSync(join(root, "resources/tasks.yaml"), "fields:\n  title: { type: strng }\n");
  writeFileSync(
    join(root, "resources/notes.yaml"),
    "fields:\n  taskId: { type: belongsTo, resource: task }\n  body: { type: text, reqired: true }\n",
  );
  const { exitCode, stdout, stderr } = await service(root, ["generate"]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  const places = stderr
    .split("\n")
    .flatMap((line) => line.match(/^resources\/\S+:\d+:\d+(?=: )/) ?? []);
  expect(places).toEqual([
    "resources/notes.yaml:2:40",
    "resources/notes.yaml:3:23",
    "resources/tasks.yaml:2:18",
  ]);
  expect(stderr).toMatch(/did you mean "string"\?/);
  expect(stderr).toMatch(/3 problems; nothing was written$/);
  expect(existsSync(join(root, "generated"))).toBe(false);
});

test("--json holds the problems", async () => {
  writeFileSync(join(root, "resources/tasks.yaml"), "fields:\n  title: { type: strng }\n");
  const { exitCode, stdout, stderr } = await service(root, ["generate", "--json"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" });
  expect(JSON.parse(stdout)).toEqual({
    problems: [
      {
        file: "resources/tasks.yaml",
        line: 2,
        column: 18,
        message: expect.any(String),
        hint: expect.any(String),
      },
    ],
    changes: [],
    migration: null,
  });
});

test("needs neither a database nor an environment", async () => {
  writeFileSync(join(root, ".env"), "DATABASE_URL=postgres://nobody:none@127.0.0.1:9/none\n");
  const { exitCode } = await service(root, ["generate"], { extendEnv: false });
  expect(exitCode).toBe(0);
});

test("remarks that the server will need service.yaml", async () => {
  rmSync(join(root, "service.yaml"));
  const { exitCode, stderr } = await service(root, ["generate"]);
  expect(exitCode).toBe(0);
  expect(stderr).toBe("There is no service.yaml here; the server needs one to start");
});

test("generates an app without resources", async () => {
  rmSync(join(root, "resources"), { recursive: true });
  const { exitCode, stderr } = await service(root, ["generate"]);
  expect(exitCode).toBe(0);
  expect(stderr).toBe("There is no resources/ folder here, so this app has no resources");
  expect(existsSync(join(root, "generated/app.ts"))).toBe(true);
});

test("refuses a folder that is not an app", async () => {
  rmSync(join(root, "service.yaml"));
  rmSync(join(root, "resources"), { recursive: true });
  const { exitCode, stderr } = await service(root, ["generate"]);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^There are no resources\/ and no service\.yaml in .*\n {2}hint: /);
  expect(existsSync(join(root, "generated"))).toBe(false);
});

test("refuses generated/ if it is a dangling link", async () => {
  symlinkSync("nowhere", join(root, "generated"));
  const { exitCode, stderr } = await service(root, ["generate"]);
  expect(exitCode).toBe(1);
  expect(stderr).toBe(`${join(root, "generated")} is a broken symbolic link\n  hint: remove it`);
});

test("refuses generated/ if it is a link in a circle", async () => {
  symlinkSync("generated", join(root, "generated"));
  const { exitCode, stderr } = await service(root, ["generate"]);
  expect(exitCode).toBe(1);
  expect(stderr).toBe(`${join(root, "generated")} is a circular link\n  hint: remove it`);
});

test("refuses a descriptor that is a dangling link, by its path", async () => {
  symlinkSync("nowhere", join(root, "resources/notes.yaml"));
  const { exitCode, stderr } = await service(root, ["generate"]);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(
    /^resources\/notes\.yaml:1:1: this symbolic link has no target\n {2}hint: remove it/m,
  );
});

describe("a link in one of the tool's folders", () => {
  test.each([
    ["generated/loop.ts", "..", "a link to a folder"],
    ["generated/tasks/types.ts", ".", "a link to a folder"],
    ["generated/loop.ts", "loop.ts", "a circular link"],
    ["generated/lost.ts", "nowhere", "a broken symbolic link"],
    ["generated/null.ts", "/dev/null", "a link to something that is not a file"],
    ["migrations/0009_loop.sql", "..", "a link to a folder"],
  ])("%s to %s is refused with an explanation, and nothing is written", async (path, to, words) => {
    await service(root, ["generate"]);
    rmSync(join(root, path), { force: true });
    symlinkSync(to, join(root, path));
    appendFileSync(join(root, "generated/app.ts"), "// mine\n");
    for (const args of [["generate"], ["generate", "--check"]]) {
      const { exitCode, stderr } = await service(root, args);
      expect(exitCode).toBe(1);
      expect(stderr).toBe(
        `${path} is ${words}\n` +
          `  hint: remove it: ${path.split("/")[0]}/ may contain only files and links to files`,
      );
    }
    expect(readFileSync(join(root, "generated/app.ts"), "utf8")).toContain("// mine");
  });
});

test("--check distinguishes one file from several", async () => {
  await service(root, ["generate"]);
  appendFileSync(join(root, "generated/tasks/types.ts"), "// mine\n");
  const { stderr } = await service(root, ["generate", "--check"]);
  expect(stderr).toContain("1 file differs from the descriptors");
});

test("prints no colours without a terminal", async () => {
  // CI services are often taken for terminals.
  const { stdout } = await service(root, ["generate"], { env: { CI: "true", FORCE_COLOR: "1" } });
  expect(stdout).not.toContain("\u001b[");
});

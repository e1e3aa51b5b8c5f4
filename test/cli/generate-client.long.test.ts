import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { localTools } from "../support/processes/tools.js";
import { generatedApp, service } from "./service.js";

let root: string;
beforeEach(() => {
  root = makeAppFolder();
  mkdirSync(join(root, "app/resources"), { recursive: true });
  writeFileSync(join(root, "app/resources/products.yaml"), "fields: { name: { type: string } }\n");
  writeFileSync(join(root, "app/service.yaml"), "client: ../web/api\n");
});
afterEach(() => removeAppFolder(root));

function text(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function generate(...options: string[]) {
  return service(join(root, "app"), ["generate", ...options]);
}

test("the folder of service.yaml gets the client too, and --check compares it there", async () => {
  expect((await generate()).exitCode).toBe(0);
  expect(text("web/api/client.ts")).toBe(text("app/generated/client.ts"));
  expect((await generate("--check")).exitCode).toBe(0);
  writeFileSync(join(root, "web/api/client.ts"), `${text("web/api/client.ts")}// mine\n`);
  const checked = await generate("--check");
  expect(checked.exitCode).toBe(1);
  expect(checked.stderr).toContain("../web/api/client.ts");
  expect((await generate()).exitCode).toBe(0);
  expect(text("web/api/client.ts")).toBe(text("app/generated/client.ts"));
});

test("the folder has a file for each resource, and loses that of a removed one", async () => {
  const other = join(root, "app/resources/order-items.yaml");
  writeFileSync(other, "fields: { quantity: { type: number } }\n");
  expect((await generate()).exitCode).toBe(0);
  for (const name of ["index", "runtime", "products", "order-items"]) {
    expect(text(`web/api/client/${name}.ts`)).toBe(text(`app/generated/client/${name}.ts`));
  }
  writeFileSync(join(root, "web/api/client/mine.ts"), "export const mine = 1;\n");
  appendFileSync(join(root, "web/api/client/runtime.ts"), "// edited\n");
  rmSync(other);
  const consent = ["--allow-destructive", "order-items"];
  const { stderr } = await generate("--check", ...consent);
  expect(stderr).toContain("../web/api/client/order-items.ts");
  expect(stderr).toContain("../web/api/client/runtime.ts");
  expect((await generate(...consent)).exitCode).toBe(0);
  const files = ["index.ts", "mine.ts", "products.ts", "resumable.ts", "runtime.ts"];
  expect(readdirSync(join(root, "web/api/client")).toSorted()).toEqual(files);
  expect(text("web/api/client/runtime.ts")).toBe(text("app/generated/client/runtime.ts"));
  writeFileSync(join(root, "web/api/client/runtime.ts"), "export const mine = 1;\n");
  const refused = await generate("--check");
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain(
    '../web/api/client/runtime.ts:1:1: the folder of "client" contains',
  );
});

test("the client of an earlier version, which was one file, is replaced", async () => {
  mkdirSync(join(root, "web/api"), { recursive: true });
  writeFileSync(
    join(root, "web/api/client.ts"),
    "// Generated from resources/ by `service generate`: a client for browsers and Node. Edit the descriptors, not this file.\nexport interface Client {}\n",
  );
  expect((await generate()).exitCode).toBe(0);
  expect(text("web/api/client.ts").split("\n").slice(1)).toEqual([
    'export * from "./client/index.js";',
    "",
  ]);
});

test("a resource may have the name of a file of the client, or of its folder", async () => {
  for (const name of ["client", "index", "runtime", "table"]) {
    writeFileSync(join(root, `app/resources/${name}.yaml`), "fields: { name: { type: string } }\n");
  }
  expect((await generate()).exitCode).toBe(0);
  expect(readdirSync(join(root, "web/api/client")).toSorted()).toEqual(
    "client.ts index.ts index_.ts products.ts resumable.ts runtime.ts runtime_.ts table_.ts".split(
      " ",
    ),
  );
  expect(text("app/generated/client/table.ts")).toContain(": Table<");
});

test("the build excludes a front end within the app's folder, or generate says how to", async () => {
  const app = await generatedApp();
  try {
    for (const folder of ["web", "site"]) {
      mkdirSync(join(app, folder, "src"), { recursive: true });
      writeFileSync(join(app, folder, "package.json"), "{}\n");
      writeFileSync(join(app, folder, "src/main.ts"), "document.title = 1;\n");
    }
    const remark =
      'tsconfig.json compiles site/ too, which is a separate package; add "site" to its exclude';
    const inWeb = await service(app, ["generate", "--client", join(app, "web/src/api")]);
    expect(inWeb).toMatchObject({ exitCode: 0, stderr: "" });
    const inSite = await service(app, ["generate", "--client", join(app, "site/src/api")]);
    expect(inSite.stderr).toContain(remark);
    const compile = () => execa("tsc", ["--noEmit"], { cwd: app, reject: false, ...localTools });
    const { stdout } = await compile();
    expect(stdout).toContain("site/src/main.ts");
    expect(stdout).not.toContain("web/");
    const settings = join(app, "tsconfig.json");
    const written = readFileSync(settings, "utf8").replace('"storage"', '"storage", "site"');
    writeFileSync(settings, written);
    expect(await compile()).toMatchObject({ exitCode: 0, stdout: "" });
    const again = await service(app, ["generate", "--client", join(app, "site/src/api")]);
    expect(again.stderr).not.toContain("exclude");
  } finally {
    removeAppFolder(app);
  }
});

test("live.ts is written beside the client while a resource has changes", async () => {
  const fields = "fields: { name: { type: string } }\n";
  const write = (text: string) => writeFileSync(join(root, "app/resources/products.yaml"), text);
  write(`changes: true\n${fields}`);
  expect((await generate()).exitCode).toBe(0);
  expect(text("web/api/live.ts")).toContain("export function live<");
  expect(text("web/api/live.ts")).toBe(text("app/generated/live.ts"));
  writeFileSync(join(root, "web/api/live.ts"), `${text("web/api/live.ts")}// mine\n`);
  expect((await generate("--check")).stderr).toContain("../web/api/live.ts");
  expect((await generate()).exitCode).toBe(0);
  expect(text("web/api/live.ts")).toBe(text("app/generated/live.ts"));
  write(fields);
  expect((await generate("--check")).stderr).toContain("../web/api/live.ts");
  expect((await generate()).exitCode).toBe(0);
  for (const folder of ["web/api", "app/generated"]) {
    expect(readdirSync(join(root, folder))).not.toContain("live.ts");
  }
  expect(text("web/api/client.ts")).toBe(text("app/generated/client.ts"));
  writeFileSync(join(root, "web/api/live.ts"), "export const mine = 1;\n");
  expect((await generate()).exitCode).toBe(0);
  expect(text("web/api/live.ts")).toBe("export const mine = 1;\n");
  write(`changes: true\n${fields}`);
  const refused = await generate();
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain('../web/api/live.ts:1:1: the folder of "client" contains a');
});

test("--client overrides the setting", async () => {
  expect((await generate("--client", join(root, "other"))).exitCode).toBe(0);
  expect(text("other/client.ts")).toBe(text("app/generated/client.ts"));
});

test("a file that the tool did not write is kept, and nothing is written", async () => {
  mkdirSync(join(root, "web/api"), { recursive: true });
  writeFileSync(join(root, "web/api/client.ts"), "export const mine = 1;\n");
  const { exitCode, stderr } = await generate();
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    '../web/api/client.ts:1:1: the folder of "client" contains a file that this command did not write',
  );
  expect(text("web/api/client.ts")).toBe("export const mine = 1;\n");
  expect(() => text("app/generated/client.ts")).toThrow();
});

describe("a folder of the client", () => {
  const unusable = {
    "is a file": () => writeFileSync(join(root, "web"), "a file"),
    "is a broken symbolic link": () => symlinkSync("nowhere", join(root, "web")),
    "is a circular link": () => symlinkSync("web", join(root, "web")),
  };

  test.each(Object.entries(unusable))(
    "that %s is refused, and nothing is written",
    async (words, make) => {
      make();
      for (const [folder, options] of [
        ["web/api", []],
        ["web", ["--client", join(root, "web")]],
      ] as const) {
        const { exitCode, stderr } = await generate(...options);
        expect(exitCode).toBe(1);
        expect(stderr).toContain(
          `../${folder}/client.ts:1:1: the folder of "client" cannot be used: ${join(root, "web")} ${words}\n  hint: choose another folder`,
        );
        expect(existsSync(join(root, "app/generated"))).toBe(false);
      }
    },
  );

  // For root every folder is one in which it may write.
  test.skipIf(process.getuid?.() === 0)("that is not writable is refused", async () => {
    mkdirSync(join(root, "web"), { mode: 0o555 });
    const { exitCode, stderr } = await generate();
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`you have no permission to write in ${join(root, "web")}`);
  });

  test.skipIf(process.platform !== "linux")(
    "that cannot be created ends the command, and nothing is written",
    async () => {
      const { exitCode, stderr } = await generate("--client", "/proc/nothing/api");
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/\/proc(?:\/nothing)? /);
      expect(existsSync(join(root, "app/generated/client.ts"))).toBe(false);
    },
  );

  test.each([
    ["a folder", (path: string) => mkdirSync(path)],
    ["a dangling link", (path: string) => symlinkSync("nowhere", path)],
    [
      "a link to another program's file",
      (path: string) => symlinkSync("../../app/service.yaml", path),
    ],
  ])("with %s in place of client.ts is refused", async (_, make) => {
    mkdirSync(join(root, "web/api"), { recursive: true });
    make(join(root, "web/api/client.ts"));
    const { exitCode, stderr } = await generate();
    expect(exitCode).toBe(1);
    expect(stderr).toContain("a file that this command did not write");
    expect(text("app/service.yaml")).toBe("client: ../web/api\n");
  });
});

import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { execa } from "execa";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readDescriptors } from "../generator/descriptor/read.js";
import { emitModel, generate } from "../generator/generate.js";
import type { Model } from "../generator/model/model.js";
import { readCurrent } from "../generator/output/current.js";
import { writePlan } from "../generator/output/write.js";
import { resolveModel } from "../generator/resolve/resolve.js";
import { diffSchemas } from "../generator/schema/changes/diff.js";
import { stepTexts } from "../generator/schema/sql/step.js";
import { migrationSteps } from "../generator/schema/sql/steps.js";
import { buildSchema } from "../generator/schema/tables/build.js";
import { assertParse } from "../generator/text/finish.js";
import { emptySchema } from "../runtime/values/schema/schema.js";
import { makeAppFolder } from "./support/apps/app-folder.js";
import { longProfile, type RandomApp, randomApp } from "./support/apps/random-app.js";
import { createDatabase } from "./support/database/database.js";
import { localTools } from "./support/processes/tools.js";
import { tries } from "./support/searches.js";

const repository = resolve(import.meta.dirname, "..");
const shop = join(repository, "fixtures/apps/shop");

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function makeFolder(): string {
  const folder = makeAppFolder();
  folders.push(folder);
  return folder;
}

/** An app folder with the shop's descriptors, made in that order. */
function shopFolder(order: (names: string[]) => string[] = (names) => names): string {
  const root = makeFolder();
  mkdirSync(join(root, "resources"));
  for (const name of order(readdirSync(join(shop, "resources")))) {
    cpSync(join(shop, "resources", name), join(root, "resources", name));
  }
  return root;
}

async function generateInto(root: string): Promise<void> {
  const { problems, plan } = await generate({ root, name: null });
  expect(problems).toEqual([]);
  writePlan(root, plan);
}

describe("the same descriptors give the same bytes", () => {
  let expected: ReturnType<typeof readCurrent>;
  beforeAll(async () => {
    expected = readCurrent(shop);
    expect(expected.size).toBeGreaterThan(50);
  });

  test.each([
    ["sorted", (names: string[]) => names.toSorted()],
    ["backwards", (names: string[]) => names.toSorted().reverse()],
    ["shuffled", (names: string[]) => names.toSorted((a, b) => a.length - b.length)],
  ])("for any order in which the files were created: %s", async (_, order) => {
    const root = shopFolder(order);
    await generateInto(root);
    expect(readCurrent(root)).toEqual(expected);
  });

  const environments = [
    { cwd: "/", env: { TZ: "Pacific/Kiritimati", LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8" } },
    { cwd: repository, env: { TZ: "UTC", LC_ALL: "C", LANG: "C" } },
    { cwd: "/", env: { TZ: "America/St_Johns", LC_ALL: "sv_SE.UTF-8", LANG: "lt_LT" } },
  ];
  test.for(environments)(
    "for any working directory, time zone and language: $env.LANG",
    async (options) => {
      const root = shopFolder();
      const program = `
      const { generate } = await import(${JSON.stringify(`${repository}/dist/generator/generate.js`)});
      const { writePlan } = await import(${JSON.stringify(`${repository}/dist/generator/output/write.js`)});
      const root = ${JSON.stringify(root)};
      writePlan(root, (await generate({ root, name: null })).plan);`;
      await execa(process.execPath, ["--input-type=module", "--eval", program], options);
      expect(readCurrent(root)).toEqual(expected);
    },
  );

  test("on a second run", async () => {
    const root = shopFolder();
    await generateInto(root);
    await generateInto(root);
    expect(readCurrent(root)).toEqual(expected);
  });
});

describe("random valid apps", () => {
  test("are emitted as TypeScript that parses, the same each time", async () => {
    await fc.assert(
      fc.asyncProperty(randomApp, async (app) => {
        const model = modelOf(app);
        fc.pre(model !== null);
        const emitted = emitModel(model, "shop");
        await assertParse(emitted.filter(({ path }) => path.endsWith(".ts")));
        const backwards = modelOf(new Map([...app].reverse()));
        expect(backwards && emitModel(backwards, "shop")).toEqual(emitted);
      }),
      { numRuns: tries(200) },
    );
  });

  describe("a sample", () => {
    /** Each takes the compiler half a second. */
    const compiledApps = tries(8);
    const models = fc
      .sample(randomApp, { numRuns: 40, seed: 7 })
      .flatMap((app) => modelOf(app) ?? []);
    let folder: string;
    beforeAll(() => {
      folder = makeFolder();
      models.forEach((model, at) => {
        for (const { path, text } of emitModel(model, "shop"))
          write(join(folder, String(at), path), text);
      });
      symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
    });

    test("is large enough", () => {
      expect(models.length).toBeGreaterThanOrEqual(30);
    });

    test("leaves the formatter and the linter nothing to do", async () => {
      const written = readFileSync(join(repository, "biome.jsonc"), "utf8");
      const { formatter, linter, assist } = JSON.parse(written.replaceAll(/^ *\/\/.*$/gm, ""));
      const files = {
        includes: ["*/generated/**", "!**/openapi.json"],
      };
      const json = { formatter: { enabled: false } };
      const settings = JSON.stringify({ formatter, linter, assist, files, json });
      writeFileSync(join(folder, "biome.json"), settings);
      const options = { ...localTools, cwd: folder, reject: false } as const;
      const result = await execa("biome", ["check", "--error-on-warnings", "."], options);
      expect(result.exitCode, result.stderr).toBe(0);
      expect(result.stdout).toMatch(/Checked \d{3,} files.*No fixes applied/);
    });

    test("passes the strict compiler", async () => {
      const settings = {
        extends: join(repository, "fixtures/names/tsconfig.json"),
        compilerOptions: {
          rootDir: ".",
          noEmit: true,
        },
      };
      writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
      const options = { ...localTools, cwd: repository, reject: false } as const;
      // Each app says what Express's locals hold, so no two of these files can be in one program.
      const apps = models.slice(0, compiledApps).map((_, at) => [`${at}/generated/app.ts`]);
      for (const include of [
        ["*/generated/*/**/*.ts", "*/generated/client.ts", "*/generated/live.ts"],
        ...apps,
      ]) {
        writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ ...settings, include }));
        const result = await execa("tsc", ["-p", folder, "--singleThreaded"], options);
        expect([result.exitCode, result.stdout, result.stderr]).toEqual([0, "", ""]);
      }
    });

    test("has migrations that PostgreSQL accepts", async () => {
      const database = await createDatabase();
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      await client.query("set search_path to public");
      for (const model of models.slice(0, tries(models.length * 3)))
        await runMigration(client, model);
      await client.end();
      await database.drop();
    });
  });
});

/** Null where the descriptors contradict each other. */
function modelOf(app: RandomApp): Model | null {
  const files = [...app].map(([name, text]) => ({ path: `resources/${name}`, text }));
  return resolveModel(readDescriptors(files), [longProfile]).model;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** In a transaction that is taken back, so that one database serves all. */
async function runMigration(client: pg.Client, model: Model): Promise<void> {
  const steps = migrationSteps(
    emptySchema,
    diffSchemas(emptySchema, buildSchema(model), { tables: [], columns: [], values: [] }),
  );
  const sql = stepTexts(steps).join("\n");
  await client.query(`begin;\n${sql}\nrollback;`);
}

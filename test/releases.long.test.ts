import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type pg from "pg";
import { describe, expect, test } from "vitest";
import { generate } from "../generator/generate.js";
import { writePlan } from "../generator/output/write.js";
import { inspectDrift } from "../runtime/command/migrate/drift.js";
import {
  MigrationError,
  type MigrationTarget,
  migrate,
  migrationStatus,
  readMigrationTexts,
  undoMigrations,
} from "../runtime/migrate/index.js";
import { makeAppFolder, removeAppFolder } from "./support/apps/app-folder.js";
import { wrongCounts } from "./support/apps/changed-app.js";
import {
  descriptorsOf,
  type RandomApp,
  type Release,
  randomRelease,
} from "./support/apps/random-release.js";
import { fillTables, isKept, readRows } from "./support/apps/random-rows.js";
import { borrowDatabase } from "./support/database/lent-database.js";
import { isHurried } from "./support/searches.js";

const runs = Number(process.env.RELEASES ?? (isHurried ? 8 : 40));

describe.concurrent("a random release of a random app", () => {
  test.each([1, 2, 3, 4])(
    "migrates to the schema of a first run, and back (%i)",
    async (seed) => {
      await fc.assert(fc.asyncProperty(randomRelease, checkRelease), {
        numRuns: runs,
        seed: Number(process.env.SEED ?? 0) + seed,
        endOnFailure: true,
      });
    },
    600_000,
  );
});

async function checkRelease({ before, after }: Release): Promise<void> {
  const root = makeAppFolder();
  const fresh = makeAppFolder();
  const [database, other] = await Promise.all([borrowDatabase(), borrowDatabase()]);
  const { client } = database;
  try {
    await release(root, before, []);
    const target = { url: database.url, directory: join(root, "migrations") };
    await migrate(target);
    const former = await database.dump();
    await fillTables(client, before);
    const rowsBefore = await readRows(client, before);

    const name = await release(root, after, before);
    if (await isRefused(() => migrate(target))) {
      expect(await database.dump()).toEqual(former);
      expect(await readRows(client, before)).toEqual(rowsBefore);
      await empty(client, before);
      await migrate(target);
    } else {
      const rowsAfter = await readRows(client, after);
      isKept({ before, after }, rowsBefore, rowsAfter);
    }
    await release(fresh, after, []);
    await migrate({ url: other.url, directory: join(fresh, "migrations") });
    const made = await other.dump();
    await expectNoDrift(target);
    expect(await database.dump()).toEqual(made);
    expect(await wrongCounts(client)).toEqual([]);
    expect(await generate({ root, name: null })).toMatchObject({ migration: null, problems: [] });
    expect((await migrate(target)).applied).toEqual([]);

    if (name === null || !existsSync(join(root, `migrations/down/${name}.sql`))) return;
    // A default that filled empty values may be nothing the former type can hold.
    if (await isRefused(() => undoMigrations(target))) {
      expect(await database.dump()).toEqual(made);
      await empty(client, after);
      await undoMigrations(target);
    }
    await expectNoDrift(target);
    expect(await database.dump()).toEqual(former);
    expect(await wrongCounts(client)).toEqual([]);
    await migrate(target);
    expect(await database.dump()).toEqual(made);
  } finally {
    await Promise.all([database.drop(), other.drop()]);
    removeAppFolder(root);
    removeAppFolder(fresh);
  }
}

/** Writes the descriptors and generates; the name of the migration, if there is one. */
async function release(root: string, app: RandomApp, former: RandomApp): Promise<string | null> {
  const folder = join(root, "resources");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, text] of descriptorsOf(app, former)) writeFileSync(join(folder, name), text);
  const consent = [...app, ...former].map(({ name }) => name);
  const { problems, plan, migration } = await generate({ root, name: null, consent });
  expect(problems).toEqual([]);
  writePlan(root, plan);
  return migration;
}

/** Whether the rows that are there stop the run, which then changes nothing. */
async function isRefused(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run();
    return false;
  } catch (error) {
    if (error instanceof MigrationError && /(rows?|values?) of/.test(error.message)) return true;
    throw error;
  }
}

async function empty(client: pg.Client, app: RandomApp): Promise<void> {
  const { rows } = await client.query(
    "select string_agg(oid::regclass::text, ', ') as all from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  if (app.length > 0) await client.query(`truncate ${rows[0].all}`);
}

/** What the records say is there, and nothing else. */
async function expectNoDrift(target: MigrationTarget): Promise<void> {
  const texts = await readMigrationTexts(target.directory);
  const drift = await inspectDrift(target, await migrationStatus(target), texts);
  expect(drift).toEqual({ differences: [], unmanaged: [] });
}

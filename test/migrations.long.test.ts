import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeAppFolder, removeAppFolder } from "./support/apps/app-folder.js";
import { type ChangeCase, type Release, readChangeCase } from "./support/apps/change-case.js";
import {
  type ChangedApp,
  type DescribedApp,
  describedApp,
  freshLentDump,
  newChangedApp,
  problemText,
  refusalText,
  wrongCounts,
} from "./support/apps/changed-app.js";
import { deleteRows, insertRows, type KnownRows, readRows } from "./support/apps/known-rows.js";
import { borrowDatabase } from "./support/database/lent-database.js";
import { isLong } from "./support/searches.js";

const folder = join(import.meta.dirname, "../fixtures/migrations");

const names = readdirSync(folder);
/** One in twelve in `npm test`; the others in the long run. */
const travelling = names.filter((_, at) => (at % 12 === 0) !== isLong);

/** A third of the others in `npm test`; in the long run they are looked at on their way. */
const recorded = names.filter((name) => !travelling.includes(name)).filter((_, at) => at % 3 === 0);

test.skipIf(isLong).for(recorded)("the migrations of %s are as recorded", async (name) => {
  const app = describedApp(makeAppFolder());
  try {
    const { before, releases } = readChangeCase(join(folder, name));
    expect(problemText(await app.generate(before))).toBe("");
    for (const release of releases) await generateRelease(app, release);
  } finally {
    removeAppFolder(app.root);
  }
});

describe.concurrent("a change of descriptors", () => {
  test.for(travelling)("%s", async (name) => {
    const app = await newChangedApp(await borrowDatabase());
    try {
      await travel(app, readChangeCase(join(folder, name)));
    } finally {
      await app.close();
    }
  });
});

/** To the last release with rows, back again, and where that is not the same, there once more. */
async function travel(
  app: ChangedApp,
  { before, releases, rows, refusal }: ChangeCase,
): Promise<void> {
  expect(problemText(await app.generate(before))).toBe("");
  const first = (await app.migrate()).at(-1) ?? "0000";
  await insertRows(app.client, rows.before);
  const start = await app.dump();
  let end = start;
  const names: string[] = [];
  for (const release of releases) {
    const added = await generateRelease(app, release);
    const isLast = release === releases.at(-1);
    if (isLast && rows.refused)
      await expectRefusal(app, { refusal, rows: rows.refused, dump: end });
    expect(await app.migrate()).toEqual(added);
    end = await expectSchemaOf(app, release);
    names.push(...added);
  }
  await expectRows(app, rows.after);
  if (releases.some(({ sql, down }) => sql !== null && down === null)) return;
  expect(await app.undo(first)).toEqual(names.toReversed());
  expect(await app.dump()).toEqual(start);
  await expectRows(app, rows.back ?? rows.before);
  // The same again from the same start, unless that has other rows now. Random releases do it too, in the long run.
  if (rows.back === undefined && releases.length === 1) return;
  expect(await app.migrate()).toEqual(names);
  expect(await app.dump()).toEqual(end);
  await expectRows(app, rows.after);
}

/** The name of its migration, if it has one. */
async function generateRelease(app: DescribedApp, release: Release): Promise<readonly string[]> {
  const { descriptors, consent, problems, remarks, sql, down } = release;
  const asked = await app.generate(descriptors);
  expect(problemText(asked)).toBe(problems);
  const generated = problems === "" ? asked : await app.generate(descriptors, consent);
  expect(generated).toMatchObject({ problems: [], remarks });
  const { migration } = generated;
  expect(migrationText(app, `${migration}`)).toBe(sql);
  expect(migrationText(app, `down/${migration}`)).toBe(down);
  return migration === null ? [] : [migration];
}

/** Null for one that is not there. */
function migrationText({ root }: DescribedApp, name: string): string | null {
  const path = join(root, "migrations", `${name}.sql`);
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

interface Refused {
  readonly refusal: string | null;
  readonly rows: KnownRows;
  /** Of the database before it. */
  readonly dump: readonly string[];
}

/** Nothing is applied while those rows are there. */
async function expectRefusal(app: ChangedApp, { refusal, rows, dump }: Refused): Promise<void> {
  await insertRows(app.client, rows);
  expect(await refusalText(app.migrate())).toBe(refusal);
  expect(await app.dump()).toEqual(dump);
  await deleteRows(app.client, rows);
}

/** As if the database had been made for that release alone; and nothing is left to do. Its dump is the answer. */
async function expectSchemaOf(
  app: ChangedApp,
  { descriptors, nextRemarks }: Release,
): Promise<readonly string[]> {
  const dump = await app.dump();
  expect(dump).toEqual(await freshLentDump(descriptors));
  expect(await wrongCounts(app.client)).toEqual([]);
  const { settles: _, ...generated } = await app.generate(descriptors);
  expect(generated).toEqual({
    problems: [],
    plan: { writes: [], removals: [], edited: [] },
    unagreed: [],
    migration: null,
    breaking: [],
    remarks: nextRemarks,
    published: [],
  });
  expect(await app.migrate()).toEqual([]);
  return dump;
}

async function expectRows({ client }: ChangedApp, rows: KnownRows): Promise<void> {
  expect(await readRows(client, rows)).toEqual(rows);
}

test("the views of a renamed resource belong to the new name", async () => {
  const app = await newChangedApp(await borrowDatabase());
  const fields = "fields: { name: { type: number } }\n";
  const resources = async () => {
    const { rows } = await app.client.query("select resource from service.views order by name");
    return rows.map(({ resource }) => resource);
  };
  try {
    await app.generate(
      new Map([
        ["goods.yaml", fields],
        ["others.yaml", fields],
      ]),
    );
    await app.migrate();
    await app.client.query(
      "insert into service.views (resource, name, query) values ('goods', 'a', ''), ('others', 'b', '')",
    );
    await app.generate(
      new Map([
        ["products.yaml", `was: goods\n${fields}`],
        ["others.yaml", fields],
      ]),
    );
    await app.migrate();
    expect(await resources()).toEqual(["products", "others"]);
    await app.undo();
    expect(await resources()).toEqual(["goods", "others"]);
  } finally {
    await app.client.query("delete from service.views");
    await app.close();
  }
});

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parse } from "csv-parse/sync";
import { usualColumn, usualTable } from "../../../generator/model/names.js";
import type { ImportEvent } from "../../../runtime/data/index.js";
import type { RunningApp } from "./app.js";
import { type KnownRows, uuidOf } from "./known-rows.js";
import { type Ids, type Row, tables } from "./northwind-tables.js";
import { openTaskApp, usualImport } from "./task-app.js";

export { idOf } from "./northwind-tables.js";

const app = resolve(import.meta.dirname, "../../../fixtures/apps/northwind");

/** Imports the data set by the commands of its `import.sh`, and returns the ids by resource and the data set's own key. */
export async function loadNorthwind({ databaseUrl, db }: RunningApp): Promise<Ids> {
  // By its path, as two apps in one program of the compiler would have to agree about the locals of own routes.
  const generated = await import(pathToFileURL(join(app, "generated/app.ts")).href);
  const make = () => generated.createApp();
  const importing = await openTaskApp({ name: "northwind", databaseUrl, make });
  try {
    for (const wanted of commandsOf(readFileSync(join(app, "import.sh"), "utf8"))) {
      const request = { ...usualImport, ...wanted, errors: null };
      const end = await importing.run<ImportEvent>((events) => {
        return { kind: "import", request: { ...request, events } };
      });
      if (end.kind !== "done" || end.isWrong) throw new Error(JSON.stringify(end));
    }
  } finally {
    await importing.close();
  }
  const ids = new Map<string, Map<string, string>>();
  for (const { resource, key, fields } of tables) {
    if (key === null) continue;
    const [field = ""] = Object.keys(fields);
    const rows = await db.query<{ key: string; id: string }>(
      `select ${usualColumn(field)}::text as key, id from ${usualTable(resource)}`,
    );
    ids.set(resource, new Map(rows.map((row) => [row.key, row.id])));
  }
  return ids;
}

/** What the commands of a script import, in their order. */
function commandsOf(script: string) {
  const lines = script.replaceAll("\\\n", " ").split("\n");
  return lines
    .filter((line) => line.startsWith("npx service import "))
    .map((line) => {
      const [, , , resource = "", file = "", ...options] = line.trim().split(/\s+/);
      const pairs = (option: string) =>
        Object.fromEntries(
          options.flatMap((word, at) => {
            const [name = "", value = ""] = word.split("=");
            return options[at - 1] === option ? [[name, value] as const] : [];
          }),
        );
      return { resource, path: join(app, file), map: pairs("--map"), link: pairs("--link") };
    });
}

/** Every record as a row of its table, for databases without a server. */
export async function northwindRows(folder: string): Promise<KnownRows> {
  const ids = new Map<string, ReadonlyMap<string, string>>();
  const found: Record<string, KnownRows[string]> = {};
  let last = 0;
  for (const { resource, file, key, fields } of tables) {
    const rows: Row[] = parse(await readFile(join(folder, `${file}.csv`)), { columns: true });
    const numbered = rows.map((row) => ({ row, id: uuidOf(++last) }));
    if (key !== null)
      ids.set(resource, new Map(numbered.map(({ row, id }) => [row[key] ?? "", id])));
    found[usualTable(resource)] = numbered.map(({ row, id }) => {
      const values = Object.entries(fields).map(([name, cell]) => [
        usualColumn(name),
        cell(row, ids),
      ]);
      return { id, ...Object.fromEntries(values) };
    });
  }
  return found;
}

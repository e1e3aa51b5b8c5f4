import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { columnOf, tableOf } from "../../../generator/model/names.js";
import type { Client } from "../http/client.js";
import { type KnownRows, uuidOf } from "./known-rows.js";
import { cellOf, type Ids, type Row, type Table, tables } from "./northwind-tables.js";

export { idOf } from "./northwind-tables.js";

/** How many writes may wait for an answer at once. */
const concurrency = 8;

/**
 * Creates every record of the Northwind data set over HTTP, in the order of its links, and returns
 * the ids by resource and the data set's own key. Refuses the first answer that is not 201.
 */
export async function loadNorthwind(client: Client, folder: string): Promise<Ids> {
  const ids = new Map<string, Map<string, string>>();
  for (const table of tables) {
    ids.set(table.resource, new Map());
    const content = await readFile(join(folder, `${table.file}.csv`));
    const rows: Row[] = parse(content, { columns: true });
    for (const wave of managersFirst(table, rows)) {
      await eachOf(wave, (row) => create(client, table, row, ids));
    }
  }
  return ids;
}

/** Every record as a row of its table, for databases that no server runs on. */
export async function northwindRows(folder: string): Promise<KnownRows> {
  const ids = new Map<string, ReadonlyMap<string, string>>();
  const found: Record<string, KnownRows[string]> = {};
  let last = 0;
  for (const { resource, file, key, fields } of tables) {
    const rows: Row[] = parse(await readFile(join(folder, `${file}.csv`)), { columns: true });
    const numbered = rows.map((row) => ({ row, id: uuidOf(++last) }));
    if (key !== null)
      ids.set(resource, new Map(numbered.map(({ row, id }) => [row[key] ?? "", id])));
    found[tableOf(resource)] = numbered.map(({ row, id }) => {
      const values = Object.entries(fields).map(([name, cell]) => [columnOf(name), cell(row, ids)]);
      return { id, ...Object.fromEntries(values) };
    });
  }
  return found;
}

async function create(
  client: Client,
  table: Table,
  row: Row,
  ids: Map<string, Map<string, string>>,
): Promise<void> {
  const cells = Object.entries(table.fields).map(([name, cell]) => [name, cell(row, ids)]);
  const reply = await client.post(`/${table.resource}`, Object.fromEntries(cells));
  if (reply.status !== 201) {
    throw new Error(`${table.resource} ${JSON.stringify(row)}: ${reply.status} ${reply.text}`);
  }
  const key = table.key === null ? undefined : row[table.key];
  if (key !== undefined) ids.get(table.resource)?.set(key, reply.body.id);
}

/** Rows in waves: a row comes after the one that it refers to in its own table. */
function managersFirst({ key, parent }: Table, rows: readonly Row[]): readonly Row[][] {
  if (key === null || parent === undefined) return [[...rows]];
  const waves: Row[][] = [];
  let above: ReadonlySet<string | null | undefined> = new Set([null]);
  while (above.size > 0) {
    const wave = rows.filter((row) => above.has(cellOf(row, parent)));
    if (wave.length > 0) waves.push(wave);
    above = new Set(wave.map((row) => row[key]));
  }
  return waves;
}

async function eachOf<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const work = async () => {
    for (const item of queue) await act(item);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

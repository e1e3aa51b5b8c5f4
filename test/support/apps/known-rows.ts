import type pg from "pg";

/**
 * Rows of tables as a fixture's JSON has them: column → value. A uuid is a number there, so that a
 * link reads well; a table of another schema than `public` has its schema before its name.
 */
export type KnownRows = Readonly<Record<string, readonly KnownRow[]>>;
type KnownRow = Readonly<Record<string, unknown>>;

/** The rows of a table are inserted at once, so that they may link to each other in any order. */
export async function insertRows(client: pg.Client, rows: KnownRows): Promise<void> {
  for (const [table, ofTable] of Object.entries(rows)) {
    const [first] = ofTable;
    if (first === undefined) continue;
    const ids = await uuidColumns(client, table);
    const columns = Object.keys(first).map(quoted).join(", ");
    await client.query(
      `insert into ${tableOf(table)} (${columns})
       select ${columns} from jsonb_populate_recordset(null::${tableOf(table)}, $1)`,
      [JSON.stringify(ofTable.map((row) => withUuids(row, ids)))],
    );
  }
}

function withUuids(row: KnownRow, ids: ReadonlySet<string>): KnownRow {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    ids.has(name) && typeof value === "number" ? uuidOf(value) : value,
  ]);
  return Object.fromEntries(entries);
}

export async function deleteRows(client: pg.Client, rows: KnownRows): Promise<void> {
  for (const [table, ofTable] of Object.entries(rows).toReversed()) {
    const ids = ofTable.map(({ id }) => uuidOf(Number(id)));
    await client.query(`delete from ${tableOf(table)} where id = any($1)`, [ids]);
  }
}

/** All rows of the tables in `known`, without the times of each row. */
export async function readRows(client: pg.Client, known: KnownRows): Promise<KnownRows> {
  const found: Record<string, readonly KnownRow[]> = {};
  for (const [table, rows] of Object.entries(known)) {
    const shown = table.includes(".") ? Object.keys(rows[0] ?? {}) : null;
    const result = await client.query<{ row: KnownRow }>(
      `select to_jsonb(_row) - 'created_at' - 'updated_at' as row
       from ${tableOf(table)} as _row order by 1`,
    );
    found[table] = result.rows.map(({ row }) => shortened(row, shown));
  }
  return found;
}

/** Of a table of the package's only what the fixture names is compared. */
function shortened(row: KnownRow, shown: readonly string[] | null): KnownRow {
  const entries = Object.entries(row).filter(([name]) => shown?.includes(name) ?? true);
  return Object.fromEntries(entries.map(([name, value]) => [name, numberOf(value)]));
}

/** An id that a fixture writes as that number. */
export function uuidOf(number: number): string {
  return `${uuidStart}${String(number).padStart(12, "0")}`;
}

const uuidStart = "00000000-0000-7000-8000-";

function numberOf(value: unknown): unknown {
  const isKnown = typeof value === "string" && value.length === 36 && value.startsWith(uuidStart);
  return isKnown ? Number(value.slice(uuidStart.length)) : value;
}

async function uuidColumns(client: pg.Client, table: string): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = to_regclass($1) and attnum > 0 and atttypid = 'uuid'::regtype`,
    [tableOf(table)],
  );
  return new Set(rows.map(({ name }) => name));
}

function tableOf(name: string): string {
  return name.includes(".") ? name : `public.${quoted(name)}`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

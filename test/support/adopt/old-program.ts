import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";

const folder = resolve(import.meta.dirname, "../../../fixtures/databases");

/** A database of another program: its tables with rows, and a recorded set of its statements. */
export interface OldDatabase {
  readonly folder: string;
  readonly schema: string;
  readonly statements: string;
}

export function oldDatabase(name: string): OldDatabase {
  const own = join(folder, name);
  const read = (file: string) => readFileSync(join(own, file), "utf8");
  return { folder: own, schema: read("schema.sql"), statements: read("statements.sql") };
}

/** Runs the statements one after another, as a program does; what each answers, without times and ids of this run. */
export async function runStatements(client: pg.Client, text: string): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const { sql, input } of statementsIn(text)) {
    if (input !== null) {
      await pipeline(Readable.from([input]), client.query(copyFrom(sql)));
      answers.push(sql);
      continue;
    }
    const { command, rowCount, rows } = await client.query(sql);
    answers.push(masked(`${command} ${rowCount} ${JSON.stringify(rows)}`));
  }
  return answers;
}

/** The statements of a text without function bodies; the lines below `copy … from stdin` are its input. */
function statementsIn(text: string) {
  const parts = text.replace(/^--.*\n/gm, "").split(/;[ ]*\n/);
  const found: { readonly sql: string; readonly input: string | null }[] = [];
  let rest = "";
  for (const part of parts) {
    const [input, after] = rest === "" ? [null, part] : part.split(/^\\\.$/m);
    if (rest !== "") found.push({ sql: rest, input: input ?? "" });
    rest = "";
    const sql = (after ?? "").trim();
    if (/from stdin$/.test(sql)) rest = sql;
    else if (sql !== "") found.push({ sql, input: null });
  }
  return found;
}

/** All rows of the schema public as text, by table. */
export async function allRows(client: pg.Client): Promise<Readonly<Record<string, unknown>>> {
  const tables = await client.query<{ name: string; columns: string }>(
    `select c.oid::regclass::text as name,
       string_agg(quote_ident(a.attname) || '::text', ', ' order by attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
       and attname <> 'account_id'
     group by c.oid order by 1`,
  );
  const rows: Record<string, unknown> = {};
  for (const { name, columns } of tables.rows) {
    const found = await client.query<{ row: string }>(
      `select array[${columns}]::text as row from ${name} order by 1`,
    );
    rows[name] = found.rows.map(({ row }) => masked(row)).sort();
  }
  return rows;
}

/** Without the times and the random ids of this run. */
function masked(text: string): string {
  return text
    .replace(/202[6-9]-\d\d-\d\d([T ]\d\d:\d\d:\d\d(\.\d+)?(\+\d\d|Z)?)?/g, "now")
    .replace(
      /[0-9a-f]{8}-[0-9a-f]{4}-4(?!000-8000)[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g,
      "random",
    );
}

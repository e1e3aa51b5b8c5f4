import { z } from "zod";
import type { Problem } from "../problem.js";
import type { Change } from "./change.js";
import type { Check, Column, ForeignKey, Index, SearchIndex, Table, Tally } from "./schema.js";

/** The list of changes that lies beside a migration's SQL: `migrations/NNNN_<what>.json`. */
export interface MigrationRecord {
  /** Without folder and ending: `0001_create_products`. */
  readonly name: string;
  readonly changes: readonly Change[];
}

/** A migration's record read from its file; a problem where the file is no such record. */
export function readRecord(name: string, text: string): MigrationRecord | Problem {
  const parsed = record.safeParse(jsonOf(text));
  if (parsed.success) return { name, changes: parsed.data.changes };
  return {
    file: recordPath(name),
    line: 1,
    column: 1,
    message: "This is not the record of a migration's changes",
    hint: "restore the file from version control; it is written beside the migration's SQL",
  };
}

export function recordPath(name: string): string {
  return `migrations/${name}.json`;
}

export function sqlPath(name: string): string {
  return `migrations/${name}.sql`;
}

const column: z.ZodType<Column> = z.strictObject({
  name: z.string(),
  field: z.string().nullable(),
  type: z.string(),
  required: z.boolean(),
  default: z.string().nullable(),
});

const check: z.ZodType<Check> = z.strictObject({
  name: z.string(),
  column: z.string(),
  expression: z.string(),
});

const link: z.ZodType<ForeignKey> = z.strictObject({
  name: z.string(),
  column: z.string(),
  references: z.strictObject({ schema: z.string(), table: z.string(), column: z.string() }),
  onDelete: z.enum(["no action", "set null"]),
});

const index: z.ZodType<Index> = z.strictObject({
  name: z.string(),
  unique: z.boolean(),
  keys: z.array(z.string()),
});

const tally: z.ZodType<Tally> = z.strictObject({
  name: z.string(),
  counts: z.array(z.strictObject({ name: z.string(), column: z.string(), value: z.string() })),
});

const search: z.ZodType<SearchIndex> = z.strictObject({
  name: z.string(),
  columns: z.array(z.string()),
});

const table: z.ZodType<Table> = z.strictObject({
  name: z.string(),
  resource: z.string(),
  columns: z.array(column),
  checks: z.array(check),
  links: z.array(link),
  indexes: z.array(index),
  // A table is created without them; records of before there were any do not name them.
  tally: tally.nullable().default(null),
  search: search.nullable().default(null),
});

const change: z.ZodType<Change> = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("createTable"), table }),
  z.strictObject({ kind: z.literal("addLink"), table: z.string(), link }),
  z.strictObject({ kind: z.literal("createIndex"), table: z.string(), index }),
  z.strictObject({ kind: z.literal("createTally"), table: z.string(), tally }),
  z.strictObject({ kind: z.literal("createSearch"), table: z.string(), search }),
]);

const record = z.strictObject({ changes: z.array(change) });

/** Undefined for a text that is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

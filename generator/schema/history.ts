import { createHash } from "node:crypto";
import type { Problem } from "../problem.js";
import { applyChange, type Change } from "./change.js";
import type { Schema } from "./schema.js";

/** The list of changes that lies beside a migration's SQL: `migrations/NNNN_<what>.json`. */
export interface MigrationRecord {
  /** Without folder and ending: `0001_create_products`. */
  readonly name: string;
  readonly changes: readonly Change[];
}

export const emptySchema: Schema = { tables: [] };

/** The schema that a history leads to: its migrations in the order of their names. */
export function replay(history: readonly MigrationRecord[]): Schema {
  return history.flatMap(({ changes }) => changes).reduce(applyChange, emptySchema);
}

/** A migration's record read from its file; a problem where the file is no such record. */
export function readRecord(path: string, text: string): MigrationRecord | Problem {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.json$/, "");
  try {
    const parsed: unknown = JSON.parse(text);
    if (isRecord(parsed)) return { name, changes: parsed.changes };
  } catch {
    // Told below, as for any other text that is no record.
  }
  return {
    file: path,
    line: 1,
    column: 1,
    message: "This is not the record of a migration's changes",
    hint: "restore the file from version control; it is written beside the migration's SQL",
  };
}

function isRecord(value: unknown): value is { changes: readonly Change[] } {
  return (
    typeof value === "object" &&
    value !== null &&
    "changes" in value &&
    Array.isArray(value.changes)
  );
}

/** The name of the migration after a history: `0002_create_orders_and_2_more`. */
export function nextName(
  history: readonly MigrationRecord[],
  changes: readonly Change[],
  what: string | null,
): string {
  const numbers = history.map(({ name }) => Number.parseInt(name, 10)).filter(Number.isFinite);
  const number = String(Math.max(0, ...numbers) + 1).padStart(4, "0");
  return `${number}_${what ?? summary(changes)}`;
}

/** Characters; longer summaries end in a digest. */
const longestSummary = 60;

function summary(changes: readonly Change[]): string {
  const created = changes.flatMap((change) =>
    change.kind === "createTable" ? [change.table.name] : [],
  );
  const [first = "nothing", ...others] = created;
  const more = others.length === 0 ? "" : `_and_${others.length}_more`;
  const text = `create_${first}${more}`;
  if (text.length <= longestSummary) return text;
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 8);
  return `${text.slice(0, longestSummary - 9)}_${digest}`;
}

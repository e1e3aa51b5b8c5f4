import { isDeepStrictEqual } from "node:util";
import {
  type Difference,
  type Drift,
  findDrift,
  inspectMigrations,
  MigrationError,
  type MigrationResult,
  type MigrationTarget,
  type MigrationTexts,
  migratedTables,
  type Unmanaged,
} from "../../migrate/index.js";
import { say } from "../report.js";

/** The differences, or a sentence explaining why the tables could not be compared. */
export type DriftReport = Drift | { readonly unknown: string };

/**
 * Compares the database with the tables that its migrations create, according to their records.
 * Objects of handwritten migrations, which have no record, are unmanaged.
 */
export async function inspectDrift(
  target: MigrationTarget,
  { applied, pending }: MigrationResult,
  texts: MigrationTexts,
): Promise<DriftReport> {
  const status = { applied, pending };
  if (status.pending.some(({ halfDone }) => halfDone !== undefined)) {
    return { unknown: "a migration is partly done" };
  }
  const tables = migratedTables(texts, applied);
  if ("unknown" in tables) return tables;
  try {
    const drift = await findDrift(target.url, tables);
    // A migration that is running now can cause apparent differences.
    const isSettled =
      drift.differences.length === 0 || isDeepStrictEqual(await statusNow(target), status);
    return isSettled ? drift : { unknown: "migrations are being applied" };
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    return { unknown: error.message };
  }
}

async function statusNow(target: MigrationTarget): Promise<MigrationResult> {
  const { applied, pending } = await inspectMigrations(target);
  return { applied, pending };
}

/** Prints a line for each difference, then one for each unmanaged object. */
export function sayDrift({ differences, unmanaged }: Drift): void {
  for (const difference of differences) say(differenceLine(difference));
  for (const one of unmanaged) say(`unmanaged  ${describeObject(one, "on")}`);
}

function differenceLine(difference: Difference): string {
  const { object, expected, found } = difference;
  const place = describeObject(difference, "of");
  if (found !== null) return `differs  ${place}: ${expected} expected, ${found} found`;
  return object === "table" ? `missing  ${place}` : `missing  ${place}: ${expected} expected`;
}

function describeObject(
  { table, object, name }: Pick<Difference | Unmanaged, "table" | "object" | "name">,
  preposition: "of" | "on",
): string {
  if (object === "column") return `${table}.${name}`;
  const isTable = name === table && !tableParts.has(object);
  return isTable ? `${object} ${name}` : `${object} ${name} ${preposition} ${table}`;
}

/** Parts of a table; any other object is itself a table, a view or something similar. */
const tableParts: ReadonlySet<string> = new Set([
  "constraint",
  "index",
  "trigger",
  "tally",
  "search",
]);

import { isDeepStrictEqual } from "node:util";
import { changedColumn, tableOf } from "../change.js";
import type { Change } from "../change-kinds.js";
import { valuesOf } from "../renamed-value.js";
import { columnIn, isSame, type Schema, type Table } from "../schema.js";
import { recordPath } from "./migration-paths.js";

/** A change in an earlier migration. */
export interface Earlier {
  readonly name: string;
  readonly change: Change;
}

/** Why a change cannot follow earlier ones, as the end of a sentence; null if it can. */
export function contradiction(
  { tables }: Schema,
  change: Change,
  earlier: readonly Earlier[],
): string | null {
  const name = tableOf(change);
  const table = tables.find((one) => one.name === name);
  const lost = linksOf(change).find((link) => !tables.some((one) => one.name === link));
  if (lost !== undefined) return `links to the table "${lost}"${by(earlier, lost, null)}`;
  if (change.kind === "createTable") {
    return table === undefined ? null : `creates the table "${name}"${by(earlier, name, null)}`;
  }
  if (table === undefined) return `changes the table "${name}"${by(earlier, name, null)}`;
  if (change.kind === "renameTable") {
    const { name: to } = change.to;
    const isTaken = tables.some((one) => one.name === to);
    return isTaken ? `renames "${name}" to "${to}"${by(earlier, to, null)}` : null;
  }
  return columnContradiction(table, change, earlier);
}

/** The app's tables to which a change adds links. */
function linksOf(change: Change): readonly string[] {
  const columns = "column" in change && typeof change.column !== "string" ? [change.column] : [];
  const isSet = change.kind === "setLink" || change.kind === "setEntries";
  const links = isSet ? [change.to] : columns.map(({ link }) => link);
  return links.flatMap((link) => (link?.schema === "public" ? [link.table] : []));
}

function columnContradiction(
  table: Table,
  change: Change,
  earlier: readonly Earlier[],
): string | null {
  const has = (column: string) => table.columns.some(({ name }) => name === column);
  const { added, needed } = columnsOf(change);
  const twice = added.find(has);
  if (twice !== undefined) {
    return `adds the column "${twice}" to "${table.name}"${by(earlier, table.name, twice)}`;
  }
  const lacking = needed.find((column) => !has(column));
  if (lacking !== undefined) {
    return `changes the column "${lacking}" of "${table.name}"${by(earlier, table.name, lacking)}`;
  }
  if (change.kind === "renameValue") return valueContradiction(table, change, earlier);
  if ("from" in change) return branchContradiction(table, change, earlier);
  if (change.kind !== "createIndex" && change.kind !== "dropIndex") return null;
  const { kind, index } = change;
  const isThere = table.indexes.some((other) => isSame(other, index));
  const columns = index.keys.map(({ column }) => column).join(", ");
  const which = `the index of "${table.name}" on (${columns})`;
  if (kind === "createIndex" && isThere) return `creates ${which}, which already exists`;
  if (kind === "dropIndex" && !isThere) return `drops ${which}, which does not exist`;
  return null;
}

/** Why a value cannot be renamed, because another branch renamed or removed it; null if it can. */
function valueContradiction(
  table: Table,
  { column: name, value }: Extract<Change, { kind: "renameValue" }>,
  earlier: readonly Earlier[],
): string | null {
  if (valuesOf(columnIn(table, name))?.includes(value)) return null;
  const other = earlier.findLast(
    ({ change }) => tableOf(change) === table.name && changedColumn(change) === name,
  );
  const where = other === undefined ? "" : `, which ${recordPath(other.name)} already changes`;
  return `renames a value of the column "${name}" of "${table.name}"${where}`;
}

/** Why a column cannot be changed, because another branch has changed it; null if it can. */
function branchContradiction(
  table: Table,
  change: Extract<Change, { readonly from: unknown }>,
  earlier: readonly Earlier[],
): string | null {
  const name = typeof change.column === "string" ? change.column : change.column.name;
  const column = columnIn(table, name);
  const now = change.kind === "replaceColumn" ? column : (column[parts[change.kind]] ?? null);
  if (isDeepStrictEqual(now, change.from)) return null;
  const what = change.kind === "replaceColumn" ? "type" : parts[change.kind];
  const other = earlier.findLast(
    ({ change: one }) =>
      "from" in one && tableOf(one) === table.name && changedColumn(one) === name,
  );
  const where = other === undefined ? "" : `, which ${recordPath(other.name)} already changes`;
  return `changes the column "${name}" of "${table.name}" (${what})${where}`;
}

const parts = {
  setKind: "kind",
  setDefault: "default",
  setRequired: "required",
  setCheck: "check",
  setLink: "link",
  setEntries: "entries",
  setSchema: "schema",
} as const;

/** The columns that a change adds, and those that it requires. */
function columnsOf(change: Change): {
  readonly added: readonly string[];
  readonly needed: readonly string[];
} {
  switch (change.kind) {
    case "addColumn":
      return { added: [change.column.name], needed: [] };
    case "renameColumn": {
      const { column, to } = change;
      return { added: column === to.name ? [] : [to.name], needed: [column] };
    }
    case "replaceColumn":
      return {
        added: [],
        needed: [
          change.column.name,
          ...change.indexes.flatMap(({ keys }) => keys.map(({ column }) => column)),
        ],
      };
    case "createIndex":
    case "dropIndex":
      return { added: [], needed: change.index.keys.map(({ column }) => column) };
    case "setTally":
      return { added: [], needed: (change.to ?? []).map(({ column }) => column) };
    case "setSearch":
      return { added: [], needed: change.to };
    default:
      return { added: [], needed: "column" in change ? [change.column] : [] };
  }
}

/**
 * The last migration that created, renamed or dropped the table or column, as the end of a
 * sentence.
 */
function by(earlier: readonly Earlier[], table: string, column: string | null): string {
  const found = earlier.findLast(({ change }) => verbOf(change, table, column) !== null);
  if (found === undefined) return ", which no earlier migration creates";
  return `, which ${recordPath(found.name)} already ${verbOf(found.change, table, column)}`;
}

function verbOf(change: Change, table: string, column: string | null): string | null {
  const isOfTable = tableOf(change) === table;
  switch (change.kind) {
    case "createTable":
      if (!isOfTable) return null;
      return column === null || change.table.columns.some(({ name }) => name === column)
        ? "creates"
        : null;
    case "dropTable":
      return isOfTable ? "drops" : null;
    case "renameTable":
      return column === null && (isOfTable || change.to.name === table) ? "renames" : null;
    case "addColumn":
      return isOfTable && change.column.name === column ? "adds" : null;
    case "dropColumn":
      return isOfTable && change.column === column ? "drops" : null;
    case "renameColumn":
      return isOfTable && (change.column === column || change.to.name === column)
        ? "renames"
        : null;
    default:
      return null;
  }
}

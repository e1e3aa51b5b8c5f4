import { createHash } from "node:crypto";
import { changedColumn, tableOf } from "../../../runtime/values/schema/change.js";
import type { Change } from "../../../runtime/values/schema/change-kinds.js";
import { movingName } from "../../../runtime/values/schema/object-names.js";
import { plainName } from "../../../runtime/values/schema/short-name.js";

/** Returns the name of the next migration, such as `0002_create_orders_and_2_more`. */
export function migrationName(
  names: readonly string[],
  changes: readonly Change[],
  what: string | null,
): string {
  const numbers = names.map((name) => Number.parseInt(name, 10)).filter(Number.isSafeInteger);
  const number = String(Math.max(0, ...numbers) + 1).padStart(4, "0");
  return `${number}_${what ?? summary(changes)}`;
}

/** Maximum number of characters; longer summaries end in a digest. */
const maxSummary = 60;

function summary(changes: readonly Change[]): string {
  const [first = "nothing", ...others] = new Set(subjects(changes));
  const more = others.length === 0 ? "" : `_and_${others.length}_more`;
  const text = `${first}${more}`;
  if (text.length <= maxSummary) return text;
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 8);
  return `${text.slice(0, maxSummary - 9)}_${digest}`;
}

/** Summarizes the changes of each table, such as `create_orders` or `change_products_price`. */
function subjects(changes: readonly Change[]): string[] {
  const created = new Set(
    changes.flatMap((change) => (change.kind === "createTable" ? [change.table.name] : [])),
  );
  const asides = asidesOf(changes);
  const mentioned = changes
    .filter(isMentioned)
    .filter((change) => !isPart(change, created) && !isAside(change));
  return mentioned.map((change) => {
    const table = tableOf(change);
    const name = plainName(table);
    switch (change.kind) {
      case "createTable":
        return `create_${name}`;
      case "dropTable":
        return `drop_${name}`;
      case "renameTable":
        return `rename_${plainName(asides.get(table) ?? table)}_to_${plainName(change.to.name)}`;
      default:
        return `change_${name}${columnWords(mentioned, table)}`;
    }
  });
}

/** Returns the former names of tables, by temporary name. */
function asidesOf(changes: readonly Change[]): ReadonlyMap<string, string> {
  return new Map(
    changes.flatMap((change) =>
      change.kind === "renameTable" && isAside(change) ? [[change.to.name, change.table]] : [],
    ),
  );
}

function isAside(change: Change): boolean {
  return change.kind === "renameTable" && change.to.name === movingName(change.table);
}

/**
 * Whether the name mentions the change. Changes of tallies, search and indexes are omitted, as they follow from others.
 */
function isMentioned({ kind }: Change, _at: number, all: readonly Change[]): boolean {
  const follows = ["setTally", "setSearch", "createIndex", "dropIndex", "setKind"];
  return !follows.includes(kind) || all.every((change) => follows.includes(change.kind));
}

function isPart(change: Change, created: ReadonlySet<string>): boolean {
  return change.kind !== "createTable" && created.has(tableOf(change));
}

/** Returns a suffix such as `_price` if all changes of the table concern that column. */
function columnWords(changes: readonly Change[], table: string): string {
  const [only, ...others] = new Set(
    changes.filter((change) => tableOf(change) === table).map(changedColumn),
  );
  return only === undefined || only === null || others.length > 0 ? "" : `_${plainName(only)}`;
}

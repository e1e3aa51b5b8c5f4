import type { FoundColumn, FoundTable } from "../catalogue/catalogue.js";
import { type FieldOptions, shownName } from "./adoption.js";
import { linkType } from "./column/types.js";
import type { TableChoice } from "./table/choice.js";
import { decideTable } from "./table/decide.js";

/** The column that the migration adds to the people table. */
export const accountColumn = "account_id";

/** The field of that column. */
export const accountField = "accountId";

/** The options of that field. The column's own index makes the values unique. */
export const accountLink: FieldOptions = { type: linkType, resource: "users" };

/** The reason why a table cannot have the account column. */
export interface NoAccounts {
  readonly why: string;
  readonly way: string | null;
}

/** The table must have a key, and be owned by the role. */
const own: TableChoice = { key: null, isRepeating: false, mayHaveTriggers: true };

/**
 * Returns the table with the account column and its unique index, as the migration leaves it; or the reason why it
 * cannot have them.
 */
export function withAccountColumn(table: FoundTable): { readonly table: FoundTable } | NoAccounts {
  const name = shownName(table);
  const decision = decideTable(table, own);
  if (table.kind !== "table") return { why: `${name} is not a table`, way: null };
  if ("refused" in decision) {
    return { why: `${name} is not adopted: ${decision.refused.why}`, way: decision.refused.way };
  }
  const found = accountColumnOf(table);
  if (found === null) return { table: withColumn(table) };
  if (linksToAccounts(table, found)) return { table: withIndex(table, found) };
  return {
    why: `${name} already has a column ${accountColumn} that does not link to accounts`,
    way: "adopt it without --accounts, and link accounts to its records from a resource of your own",
  };
}

/** Returns the account column of a table; null if it has none. */
export function accountColumnOf({ columns }: FoundTable): FoundColumn | null {
  return columns.find(({ name }) => name === accountColumn) ?? null;
}

function withColumn(table: FoundTable): FoundTable {
  const column: FoundColumn = {
    number: Math.max(0, ...table.columns.map(({ number }) => number)) + 1,
    name: accountColumn,
    type: {
      ...{ declared: "uuid", base: "uuid", qualified: "pg_catalog.uuid" },
      ...{ isArray: false, domain: null, values: null },
    },
    isNullable: true,
    default: null,
    identity: null,
    isGenerated: false,
    comment: null,
  };
  return withIndex({ ...table, columns: [...table.columns, column] }, column);
}

function linksToAccounts({ constraints }: FoundTable, { number }: FoundColumn): boolean {
  return constraints.some(
    ({ columns, target }) =>
      columns.join() === String(number) && target?.schema === "service" && target.table === "users",
  );
}

function withIndex(table: FoundTable, { number }: FoundColumn): FoundTable {
  const index = {
    ...{ name: "", isUnique: true, isPartial: false, columns: [number] },
    definition: `unique (${accountColumn})`,
  };
  return { ...table, indexes: [...table.indexes, index] };
}

import type { FoundColumn, FoundTable } from "../catalogue/catalogue.js";
import { type FieldOptions, shownName } from "./adoption.js";
import { linkType } from "./column/types.js";
import type { TableChoice } from "./table/choice.js";
import { decideTable } from "./table/decide.js";

/** The column that the migration adds to the table of the accounts' people. */
export const accountColumn = "account_id";

/** Its field. */
export const accountField = "accountId";

/** The options of its field. The column's own index makes the values unique. */
export const accountLink: FieldOptions = { type: linkType, resource: "users" };

/** Why a table cannot have the column. */
export interface NoAccounts {
  readonly why: string;
  readonly way: string | null;
}

/** The table must have a key, and belong to the role. */
const own: TableChoice = { key: null, isRepeating: false, mayHaveTriggers: true };

/** The table with the column and its unique index, as the migration leaves it; or why it cannot have them. */
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
    why: `${name} has another column ${accountColumn}`,
    way: "adopt it without --accounts, and link accounts to its records from a resource of your own",
  };
}

/** The column of a table that has it. */
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

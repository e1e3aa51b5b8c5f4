import type { PeopleTable } from "../../data/index.js";
import { didYouMean } from "../../values/nearest.js";
import { columnsOf, storedTables } from "../app/tables.js";
import { CommandRefused } from "../exit.js";

/** The field that `service adopt --accounts` writes. */
const accountField = "accountId";

/**
 * Returns the table of a resource whose records are the people of accounts.
 *
 * @throws {CommandRefused} for another resource.
 */
export function peopleOf(root: string, name: string): PeopleTable {
  const { resources } = storedTables(root);
  const stored = resources.find((one) => one.name === name);
  if (stored === undefined) {
    const names = resources.map((one) => one.name);
    const hint = didYouMean(name, names) ?? `the resources are: ${names.join(", ")}`;
    throw new CommandRefused(`There is no resource ${JSON.stringify(name)}`, hint);
  }
  const account = stored.columns[accountField];
  const link = Object.values(stored.links).find(({ field }) => field === accountField);
  if (account === undefined || link?.resource !== "users") {
    throw new CommandRefused(
      `${name} has no field ${accountField} that links to accounts`,
      "npx service adopt --accounts <table> adds it to the table of the people",
    );
  }
  return { table: stored.table, key: columnsOf(stored).id.name, account: account.name };
}

const fileOptions = ["format", "link", "upsert", "spreadsheet", "encoding"] as const;

type FileOptions = { readonly [Option in (typeof fileOptions)[number]]?: unknown };

/** Returns the given option that is specific to files, as typed; null if there is none. */
export function fileOptionOf(given: FileOptions & { readonly resume?: boolean }): string | null {
  if (given.resume !== undefined) return given.resume ? "resume" : "no-resume";
  return fileOptions.find((option) => given[option] !== undefined) ?? null;
}

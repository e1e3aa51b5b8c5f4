import type { Catalogue, FoundTable } from "./catalogue/catalogue.js";
import {
  type Creation,
  type NamedColumn,
  readAdditions,
  readCreation,
} from "./catalogue/creation.js";
import { readOneLine } from "./catalogue/one-line.js";
import { type Run, readCatalogue } from "./catalogue/read.js";
import type { AdoptedResource, Existing } from "./existing.js";
import { accountColumn, type NoAccounts, withAccountColumn } from "./model/accounts.js";
import { type Adoption, shownName, type TableUpdate } from "./model/adoption.js";
import { adoptionOf } from "./model/model.js";

export interface AdoptRequest {
  /** The tables to adopt, as `Artist` or `public.Artist`; all if there are none. */
  readonly tables: readonly string[];
  /** The tables to leave alone. */
  readonly exclude: readonly string[];
  readonly existing: Existing;
  /** Whether new columns of adopted tables become fields. */
  readonly updates: boolean;
  /** The table whose rows are the accounts' people; null for none. */
  readonly accounts: string | null;
}

export type Proposal =
  /** The schema holds more tables than are read. */
  | { readonly kind: "too-many" }
  /** Names that no table has. */
  | { readonly kind: "unknown"; readonly names: readonly string[] }
  /** The table cannot be that of the accounts' people. */
  | { readonly kind: "no-accounts"; readonly why: string; readonly way: string | null }
  | {
      readonly kind: "proposal";
      readonly adoption: Adoption;
      readonly creation: readonly Creation[];
      /** The statements that add the columns of updates in a database that lacks them. */
      readonly additions: readonly string[];
    };

/** The schema whose tables resources can have. */
const schemas = ["public"];

/**
 * Decides what the tables of a database become. All statements must run in one transaction of
 * `repeatable read`, so that they agree.
 */
export async function proposeAdoption(run: Run, request: AdoptRequest): Promise<Proposal> {
  const all = await readCatalogue(run, schemas);
  if (all === null) return { kind: "too-many" };
  const { tables, exclude, existing, accounts } = request;
  const wanted = [...tables, ...exclude, ...(accounts === null ? [] : [accounts])];
  const names = wanted.filter((name) => !all.tables.some(isNamed(name)));
  if (names.length > 0) return { kind: "unknown", names };
  const found = withoutOthers(all, request);
  const read = withAccounts(found, request);
  if ("why" in read) return { kind: "no-accounts", ...read };
  // The column of the accounts may not be there yet.
  const isOneLine = await readOneLine(run, found);
  const adopted = updatedOf(request, read.catalogue);
  const adoption = adoptionOf({ ...read, ...existing, adopted, isOneLine });
  const creation = await readCreation(
    run,
    adoption.tables.map(({ table }) => table),
  );
  const additions = await readAdditions(run, adoption.updates.flatMap(columnsOf));
  return { kind: "proposal", adoption, creation, additions };
}

function columnsOf({ table: { schema, name }, fields }: TableUpdate): readonly NamedColumn[] {
  return fields.map(({ column }) => ({ schema, table: name, column: column.name }));
}

/** The adopted tables whose new columns are asked for: all of them, or that of the accounts. */
function updatedOf(
  { existing: { adopted }, updates, accounts }: AdoptRequest,
  { tables }: Catalogue,
): readonly AdoptedResource[] {
  if (updates || accounts === null) return updates ? adopted : [];
  const table = tables.find(isNamed(accounts));
  const others = (table?.columns ?? [])
    .map(({ name }) => name)
    .filter((name) => name !== accountColumn);
  return adopted
    .filter((one) => one.table === table?.name)
    .map((one) => ({
      ...one,
      columns: one.columns.includes(accountColumn) ? one.columns : others,
    }));
}

/** The catalogue with the column that links people to their accounts. */
function withAccounts(
  { tables }: Catalogue,
  { accounts }: AdoptRequest,
): { readonly catalogue: Catalogue; readonly people: FoundTable | null } | NoAccounts {
  const found = accounts === null ? undefined : tables.find(isNamed(accounts));
  if (accounts === null) return { catalogue: { tables }, people: null };
  if (found === undefined) {
    const way = "remove that descriptor, or write the field accountId in it";
    return { why: `${accounts} has a descriptor, or is excluded`, way };
  }
  const one = withAccountColumn(found);
  if ("why" in one) return one;
  const { table: people } = one;
  return {
    catalogue: { tables: tables.map((table) => (table === found ? people : table)) },
    people,
  };
}

/** Leaves out tables that have a descriptor, and those that the command line does not ask for. */
function withoutOthers({ tables: all }: Catalogue, request: AdoptRequest): Catalogue {
  const { tables, exclude, existing, accounts } = request;
  const updated = new Set(updatedOf(request, { tables: all }).map(({ table }) => table));
  const named = accounts === null ? tables : [...tables, accounts];
  const isWanted = (table: FoundTable) =>
    (tables.length === 0 || named.some((name) => isNamed(name)(table))) &&
    !exclude.some((name) => isNamed(name)(table)) &&
    (updated.has(table.name) || !existing.tables.has(table.name));
  return { tables: all.filter(isWanted) };
}

function isNamed(written: string): (table: FoundTable) => boolean {
  return (table) => table.name === written || shownName(table) === written;
}

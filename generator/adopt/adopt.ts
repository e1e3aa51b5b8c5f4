import { placeOfTable, spelledTable } from "../../runtime/values/sql/table-name.js";
import type { Catalogue, FoundTable } from "./catalogue/catalogue.js";
import {
  type Creation,
  type NamedColumn,
  readAdditions,
  readCreation,
  readNeeded,
} from "./catalogue/creation.js";
import { readCrowded } from "./catalogue/crowded.js";
import { readOneLine } from "./catalogue/one-line.js";
import { missingSchemas, type Run, readCatalogue } from "./catalogue/read.js";
import { readRepeating } from "./catalogue/view-keys.js";
import { type ChosenKeys, chosenKeys } from "./chosen-keys.js";
import type { AdoptedResource, Existing } from "./existing.js";
import { accountColumn, type NoAccounts, withAccountColumn } from "./model/accounts.js";
import { type Adoption, shownName, type TableUpdate } from "./model/adoption.js";
import { adoptionOf } from "./model/model.js";
import type { TableChoice } from "./model/table/choice.js";
import { isView } from "./model/table/view.js";

export interface AdoptRequest {
  readonly schemas: readonly string[];
  /** The tables to adopt, as `Artist` or `public.Artist`; all if empty. */
  readonly tables: readonly string[];
  readonly exclude: readonly string[];
  /** The key columns chosen for tables, as `Artist=ArtistId`. */
  readonly keys: readonly string[];
  /** Whether views are adopted even if not named. */
  readonly views: boolean;
  /** Whether triggers may be added to the tables. */
  readonly triggers: boolean;
  readonly existing: Existing;
  /** Whether new columns of adopted tables become fields. */
  readonly updates: boolean;
  /** The people table, whose rows are linked to accounts; null for none. */
  readonly accounts: string | null;
  /** The time zone of timestamps stored without one; null if it is unknown. */
  readonly timezone: string | null;
}

export type Proposal =
  /** The schemas contain more tables than can be read. */
  | { readonly kind: "too-many" }
  /** Names of schemas that do not exist. */
  | { readonly kind: "no-schema"; readonly names: readonly string[] }
  /** Names of tables that do not exist. */
  | { readonly kind: "unknown"; readonly names: readonly string[] }
  /** The table cannot be linked to accounts. */
  | { readonly kind: "no-accounts"; readonly why: string; readonly way: string | null }
  | {
      readonly kind: "proposal";
      readonly adoption: Adoption;
      readonly creation: readonly Creation[];
      /** Statements that add the new columns in a database that lacks them. */
      readonly additions: readonly string[];
    };

/**
 * Decides how each table of a database is adopted. All statements must run in one `repeatable read` transaction, so
 * that they see the same snapshot.
 */
export async function proposeAdoption(run: Run, request: AdoptRequest): Promise<Proposal> {
  const { schemas, tables, exclude, existing, accounts, timezone } = request;
  const lacking = await missingSchemas(run, schemas);
  if (lacking.length > 0) return { kind: "no-schema", names: lacking };
  const all = await readCatalogue(run, schemasOf(request));
  if (all === null) return { kind: "too-many" };
  const { keys, unknown } = chosenKeys(request.keys, all);
  const wanted = [...tables, ...exclude, ...(accounts === null ? [] : [accounts])];
  const names = [...wanted.filter((name) => !all.tables.some(isNamed(name))), ...unknown];
  if (names.length > 0) return { kind: "unknown", names };
  const found = withoutOthers(all, { ...request, keyed: keys });
  const read = withAccounts(found, request);
  if ("why" in read) return { kind: "no-accounts", ...read };
  // Reads `found`, because the account column may not exist in the database yet.
  const isOneLine = await readOneLine(run, found);
  const isCrowded = await readCrowded(run, found);
  const adopted = updatedOf(request, read.catalogue);
  const choiceOf = choicesOf(keys, await readRepeating(run, keys), request);
  const known = { choiceOf, isOneLine, isCrowded, timezone, updates: request.updates };
  const adoption = adoptionOf({ ...read, ...existing, adopted, ...known });
  const creation = await readCreation(run, await createdBy(run, adoption, existing));
  const additions = await readAdditions(run, adoption.updates.flatMap(columnsOf));
  return { kind: "proposal", adoption, creation, additions };
}

/** The adopted tables and views, and those that the views need and no other migration creates. */
async function createdBy(
  run: Run,
  { tables, joins }: Adoption,
  existing: Existing,
): Promise<readonly Pick<FoundTable, "schema" | "name">[]> {
  const own = [...tables.map(({ table }) => table), ...joins];
  const needed = await readNeeded(run, own.filter(isView));
  const names = new Set(own.map(shownName));
  const others = needed.filter(
    (one) => !names.has(shownName(one)) && !existing.tables.has(spelledTable(one)),
  );
  return [...own, ...others];
}

function columnsOf({ table: { schema, name }, fields }: TableUpdate): readonly NamedColumn[] {
  return fields.map(({ column }) => ({ schema, table: name, column: column.name }));
}

/** Returns the schemas of new tables, and of adopted tables whose new columns are requested. */
function schemasOf({ schemas, updates, existing: { adopted } }: AdoptRequest): readonly string[] {
  const updated = updates ? adopted.map(({ table }) => placeOfTable(table).schema) : [];
  return [...new Set([...schemas, ...updated])];
}

/** Returns the options of the command line for each table. */
function choicesOf(
  keys: ChosenKeys,
  repeating: ReadonlySet<FoundTable>,
  { triggers }: AdoptRequest,
): (table: FoundTable) => TableChoice {
  const named = new Map([...keys].map(([table, key]) => [shownName(table), key]));
  const repeated = new Set([...repeating].map(shownName));
  return (table) => ({
    key: named.get(shownName(table)) ?? null,
    isRepeating: repeated.has(shownName(table)),
    mayHaveTriggers: triggers,
  });
}

/** Returns the adopted tables whose new columns are requested: all of them, or only the people table. */
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
    .filter((one) => table !== undefined && one.table === spelledTable(table))
    .map((one) => ({
      ...one,
      columns: one.columns.includes(accountColumn) ? one.columns : others,
    }));
}

/** Returns the catalogue with the column that links the people table to accounts. */
function withAccounts(
  { tables }: Catalogue,
  { accounts }: AdoptRequest,
): { readonly catalogue: Catalogue; readonly people: FoundTable | null } | NoAccounts {
  const found = accounts === null ? undefined : tables.find(isNamed(accounts));
  if (accounts === null) return { catalogue: { tables }, people: null };
  if (found === undefined) {
    const way = "remove that descriptor, or write the field accountId in it";
    return { why: `${accounts} already has a descriptor, or is excluded`, way };
  }
  const one = withAccountColumn(found);
  if ("why" in one) return one;
  const { table: people } = one;
  return {
    catalogue: { tables: tables.map((table) => (table === found ? people : table)) },
    people,
  };
}

/** Removes tables that have a descriptor, and those that the command line does not request. */
function withoutOthers(
  { tables: all }: Catalogue,
  request: AdoptRequest & { readonly keyed: ChosenKeys },
): Catalogue {
  const { schemas, tables, exclude, existing, views, keyed, accounts } = request;
  const updated = new Set(updatedOf(request, { tables: all }).map(({ table }) => table));
  const named = accounts === null ? tables : [...tables, accounts];
  const isNamedBy = (names: readonly string[], table: FoundTable) =>
    names.some((name) => isNamed(name)(table));
  const isWanted = (table: FoundTable) =>
    (views || !isView(table) || keyed.has(table) || isNamedBy(named, table)) &&
    (schemas.includes(table.schema) || updated.has(spelledTable(table))) &&
    (tables.length === 0 || isNamedBy(named, table)) &&
    !isNamedBy(exclude, table) &&
    (updated.has(spelledTable(table)) || !existing.tables.has(spelledTable(table)));
  return { tables: all.filter(isWanted) };
}

function isNamed(written: string): (table: FoundTable) => boolean {
  return (table) => table.name === written || shownName(table) === written;
}

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
}

export type Proposal =
  /** The schema holds more tables than are read. */
  | { readonly kind: "too-many" }
  /** Names that no table has. */
  | { readonly kind: "unknown"; readonly names: readonly string[] }
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
  const { tables, exclude, existing } = request;
  const names = [...tables, ...exclude].filter((name) => !all.tables.some(isNamed(name)));
  if (names.length > 0) return { kind: "unknown", names };
  const catalogue = withoutOthers(all, request);
  const isOneLine = await readOneLine(run, catalogue);
  const adopted = updatedOf(request);
  const adoption = adoptionOf({ catalogue, ...existing, adopted, isOneLine });
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

/** The adopted tables whose new columns are asked for. */
function updatedOf({ existing, updates }: AdoptRequest): readonly AdoptedResource[] {
  return updates ? existing.adopted : [];
}

/** Leaves out tables that have a descriptor, and those that the command line does not ask for. */
function withoutOthers({ tables: all }: Catalogue, request: AdoptRequest): Catalogue {
  const { tables, exclude, existing } = request;
  const updated = new Set(updatedOf(request).map(({ table }) => table));
  const isWanted = (table: FoundTable) =>
    (tables.length === 0 || tables.some((name) => isNamed(name)(table))) &&
    !exclude.some((name) => isNamed(name)(table)) &&
    (updated.has(table.name) || !existing.tables.has(table.name));
  return { tables: all.filter(isWanted) };
}

function isNamed(written: string): (table: FoundTable) => boolean {
  return (table) => table.name === written || shownName(table) === written;
}

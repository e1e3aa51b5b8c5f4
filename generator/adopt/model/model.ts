import { spelledTable } from "../../../runtime/values/sql/table-name.js";
import type { Catalogue, FoundColumn, FoundTable } from "../catalogue/catalogue.js";
import type { AdoptedResource } from "../existing.js";
import { fieldNames, resourceNames } from "../names.js";
import { accountColumnOf, accountField, accountLink } from "./accounts.js";
import {
  type AdoptedField,
  type AdoptedTable,
  type Adoption,
  linesOf,
  type Remark,
  type ReportLine,
  shownName,
  type TableUpdate,
} from "./adoption.js";
import { readChecks } from "./column/checks.js";
import { decideColumn, isUnzoned } from "./column/decide.js";
import { timesOf } from "./column/times.js";
import { expressedUniques, readUniques } from "./column/uniques.js";
import { joinRemarks, joinsAmong, type Lists, listsOf } from "./joins.js";
import {
  cascadeRemarks,
  type LinkedTable,
  type Links,
  linkedTable,
  linksBetween,
  type TakenTable,
  unlinkedRemarks,
} from "./links.js";
import type { TableChoice } from "./table/choice.js";
import { decideTable, type TableDecision } from "./table/decide.js";
import { missingIndexes } from "./table/indexes.js";
import { closedByRights, closedOfView, unwrittenColumns } from "./table/rights.js";
import { isView } from "./table/view.js";

export interface AdoptionRequest {
  readonly catalogue: Catalogue;
  readonly resources: ReadonlySet<string>;
  readonly linked: readonly LinkedTable[];
  /** The tables of the catalogue that were adopted before, whose new columns become fields. */
  readonly adopted: readonly AdoptedResource[];
  /** The people table; null for none. */
  readonly people: FoundTable | null;
  /** Whether new lists and columns of the tables in `adopted` become fields. */
  readonly updates: boolean;
  /** Returns the options of the command line for a table. */
  readonly choiceOf: (table: FoundTable) => TableChoice;
  /** Whether each value of a text column is a single line of at most 255 characters. */
  readonly isOneLine: (table: FoundTable, column: FoundColumn) => boolean;
  /** Whether a record has more links in a join table than a list can hold. */
  readonly isCrowded: (table: FoundTable) => boolean;
  /** The time zone of timestamps stored without one; null if it is unknown. */
  readonly timezone: string | null;
}

/** Decides how each table of a catalogue is adopted. */
export function adoptionOf(request: AdoptionRequest): Adoption {
  const { catalogue, resources, linked, adopted, people, timezone } = request;
  const decided = catalogue.tables
    .filter((found) => adopted.every(({ table }) => table !== spelledTable(found)))
    .map((table) => ({ table, decision: decideTable(table, request.choiceOf(table)) }));
  const updated = updatedTables(request);
  const kept = decided.flatMap(({ table, decision }) =>
    "key" in decision ? [{ table, decision }] : [],
  );
  const names = resourceNames(
    kept.map(({ table }) => table),
    resources,
    people,
  );
  const taken = kept.map(
    ({ table, decision: { key } }, at): TakenTable => ({
      table,
      key,
      resource: names[at] ?? "",
      names: namesOfFields(table, { key, people, timezone }),
      account: table === people ? accountColumnOf(table) : null,
    }),
  );
  const { links, wordsOn } = linksBetween([...taken, ...updated], linked);
  const sides = {
    listing: request.updates ? [...taken, ...updated] : taken,
    targets: [...[...taken, ...updated].map(linkedTable), ...linked],
  };
  const joins = joinsAmong(decided, sides, request.isCrowded);
  const lists = listsOf(joins, wordsOn);
  const tables = taken.flatMap((one, at) => {
    const decision = kept[at]?.decision;
    return decision === undefined
      ? []
      : [adoptedTable(one, decision, { ...request, links, lists })];
  });
  const report = decided.flatMap(({ table, decision }): readonly ReportLine[] => {
    if (!("refused" in decision)) return tables.find((one) => one.table === table)?.report ?? [];
    const join = joins.find((one) => one.table === table);
    const refused: Remark = { column: null, taken: false, ...decision.refused };
    return linesOf(table, join === undefined ? [refused] : joinRemarks(join));
  });
  const updates = updated.map((one) => updateOf(one, { ...request, links, lists }));
  const own = updates.flatMap((update) => update.report);
  return {
    tables,
    updates: updates.filter(({ fields, lists: own }) => fields.length + own.length > 0),
    known: updated.map(({ table }) => table),
    joins: joins.map(({ table }) => table),
    report: [...report, ...own],
    unzoned: [...taken, ...updated].flatMap((one) => unzonedColumns(one, timezone)),
  };
}

/** Returns the tables adopted before, with the names for columns that are in no migration or descriptor. */
function updatedTables({
  catalogue,
  adopted,
  linked,
  people,
}: AdoptionRequest): readonly TakenTable[] {
  return adopted.flatMap(({ table: name, resource, columns }) => {
    const table = catalogue.tables.find((one) => spelledTable(one) === name);
    const key = table?.columns.find((column) => column.name === keyOf(resource, linked));
    if (table === undefined || key === undefined) return [];
    const added = table.columns.filter((column) => !columns.includes(column.name));
    const words = linked.find((one) => one.resource === resource)?.words ?? [];
    const names = fieldNames(added, words);
    const account = table === people ? accountColumnOf(table) : null;
    return [
      {
        ...{ table, key, resource },
        account: account !== null && added.includes(account) ? account : null,
        names: new Map(added.map(({ number }, at) => [number, names[at] ?? ""])),
      },
    ];
  });
}

/** Returns `public.orders.placed` for each timestamp column whose time zone must be specified. */
function unzonedColumns({ table, names }: TakenTable, timezone: string | null): readonly string[] {
  const unzoned = table.columns.filter(
    (column) => names.has(column.number) && isUnzoned(column, { timezone }),
  );
  return unzoned.map(({ name }) => `${shownName(table)}.${name}`);
}

function keyOf(resource: string, linked: readonly LinkedTable[]): string | undefined {
  return linked.find((one) => one.resource === resource)?.keyColumn;
}

function updateOf(
  taken: TakenTable,
  { links, lists, ...request }: AdoptionRequest & { readonly links: Links; readonly lists: Lists },
): TableUpdate {
  const { fields, remarks } = fieldsOf(taken, links, request);
  const { table, resource } = taken;
  const path = request.adopted.find((one) => one.resource === resource)?.path ?? "";
  const { account } = taken;
  return {
    ...{ table, resource, path, fields, account },
    lists: lists.get(taken) ?? [],
    report: linesOf(table, remarks),
  };
}

interface Named {
  readonly key: FoundColumn;
  readonly people: FoundTable | null;
  readonly timezone: string | null;
}

/** Returns the names of the columns that may become fields, by column number. */
function namesOfFields(
  table: FoundTable,
  { key, people, timezone }: Named,
): ReadonlyMap<number, string> {
  const { createdAt, updatedAt } = timesOf(table, timezone);
  const account = table === people ? accountColumnOf(table) : null;
  const columns = table.columns.filter(
    (column) => ![key, createdAt, updatedAt, account].includes(column),
  );
  const names = fieldNames(columns, account === null ? [] : [accountField]);
  const all = columns.map(({ number }, at) => [number, names[at] ?? ""] as const);
  return new Map(account === null ? all : [...all, [account.number, accountField]]);
}

type Known = Pick<AdoptionRequest, "isOneLine" | "timezone">;

/** Returns the fields of the named columns, remarks on them, and the table's checks and unique indexes. */
function fieldsOf(taken: TakenTable, links: Links, { isOneLine, timezone }: Known) {
  const { table, key } = taken;
  const checks = readChecks(table);
  const uniques = readUniques(table, key);
  const remarks: Remark[] = [];
  const fields: AdoptedField[] = [];
  for (const column of table.columns) {
    const name = taken.names.get(column.number);
    if (name === undefined) continue;
    const decision = decideColumn(column, {
      rules: checks.rules.get(column.number) ?? {},
      isUnique: uniques.single.has(column.number),
      link: column === taken.account ? accountLink : (links.get(taken)?.get(column.number) ?? null),
      values: { texts: isOneLine(table, column) ? "lines" : "longer", timezone },
    });
    remarks.push(...decision.remarks);
    if (decision.options !== null) fields.push({ name, column, options: decision.options });
  }
  return { fields, remarks, checks, uniques };
}

function adoptedTable(
  taken: TakenTable,
  { isCounted, remarks: ofTable }: Exclude<TableDecision, { readonly refused: unknown }>,
  { links, lists, ...known }: Known & { readonly links: Links; readonly lists: Lists },
): AdoptedTable {
  const { table, key, resource } = taken;
  const { timezone } = known;
  const { createdAt, updatedAt } = timesOf(table, timezone);
  const { fields, remarks, checks, uniques } = fieldsOf(taken, links, known);
  const expressed = expressedUniques(uniques, fields);
  const rights = isView(table) ? closedOfView : closedByRights(table);
  const times = [key, createdAt, updatedAt].flatMap((column) => column?.number ?? []);
  const unwritten = unwrittenColumns(table, fields, times);
  const closed = new Set([...rights.closed, ...(unwritten.length > 0 ? ["create" as const] : [])]);
  return {
    ...{ table, resource, key, isCounted, createdAt, updatedAt, timezone, fields },
    account: taken.account,
    lists: lists.get(taken) ?? [],
    closed: [...closed],
    uniques: expressed.lists,
    report: linesOf(table, [
      ...ofTable,
      ...rights.remarks,
      ...remarks,
      ...unwritten,
      ...checks.remarks,
      ...uniques.remarks,
      ...expressed.remarks,
      ...table.triggers.map(triggerRemark),
      ...unlinkedRemarks(table, fields),
      ...cascadeRemarks(table, fields),
      ...(table.kind === "view" ? [] : missingIndexes(table, { createdAt, timezone }, fields)),
    ]),
  };
}

function triggerRemark({ name, definition }: FoundTable["triggers"][number]): Remark {
  const why = `the trigger ${name} runs as before: ${definition}`;
  return { column: null, kind: "trigger", taken: true, why, way: null };
}

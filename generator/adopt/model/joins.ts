import { spelledTable } from "../../../runtime/values/sql/table-name.js";
import { mostItems } from "../../kind/list/links.js";
import { pluralOf } from "../../resolve/inverses.js";
import type { FoundColumn, FoundConstraint, FoundTable } from "../catalogue/catalogue.js";
import { listName, unusedName } from "../names.js";
import type { JoinedList, Remark } from "./adoption.js";
import { inverseOf, type LinkedTable, type TakenTable, type WordsOn } from "./links.js";
import { sqlTable } from "./sql-name.js";
import type { TableDecision } from "./table/decide.js";
import { unindexedLinks } from "./table/indexes.js";

/** A join table: its rows only link records of two tables. */
export interface Join {
  readonly table: FoundTable;
  readonly from: TakenTable;
  readonly to: LinkedTable;
  readonly record: FoundColumn;
  readonly target: FoundColumn;
  /** Whether a row prevents the deletion of its target. */
  readonly refuses: boolean;
  /** The reason why the API cannot add and remove links; null if it can. */
  readonly closed: Pick<Remark, "why" | "way"> | null;
}

export type Lists = ReadonlyMap<TakenTable, readonly JoinedList[]>;

/**
 * Returns the two foreign keys that form the primary key, if all other columns are times with a default; null for other
 * tables.
 */
export function joinedColumns(table: FoundTable): readonly [FoundColumn, FoundColumn] | null {
  const key = table.constraints.find(({ kind }) => kind === "primary")?.columns ?? [];
  const [record, target] = key.map((number) => table.columns.find((one) => one.number === number));
  if (key.length !== 2 || record === undefined || target === undefined) return null;
  const others = table.columns.filter(({ number }) => !key.includes(number));
  const isPlain = others.every(
    ({ type, default: usual }) => usual !== null && /^(?:timestamp\b|date$)/.test(type.base),
  );
  const areLinks = [record, target].every((column) => keyOf(table, column) !== null);
  return isPlain && areLinks ? [record, target] : null;
}

function keyOf({ constraints }: FoundTable, { number }: FoundColumn): FoundConstraint | null {
  return (
    constraints.find(
      ({ kind, columns }) => kind === "foreign" && columns.length === 1 && columns[0] === number,
    ) ?? null
  );
}

/** The tables whose records joins may link. */
export interface Sides {
  /** Tables that may get a list of links. */
  readonly listing: readonly TakenTable[];
  readonly targets: readonly LinkedTable[];
}

/**
 * Returns the join tables among tables that were rejected only for their composite key. Lists cannot hold all links of
 * crowded ones, which are excluded.
 */
export function joinsAmong(
  decided: readonly { readonly table: FoundTable; readonly decision: TableDecision }[],
  { listing, targets }: Sides,
  isCrowded: (table: FoundTable) => boolean,
): readonly Join[] {
  return decided.flatMap(({ table, decision }): readonly Join[] => {
    if (!("refused" in decision) || decision.refused.kind !== "composite-key") return [];
    const [record, target] = joinedColumns(table) ?? [];
    if (record === undefined || target === undefined || isCrowded(table)) return [];
    const first = keyOf(table, record)?.target ?? null;
    const second = keyOf(table, target)?.target ?? null;
    const from = listing.find((one) => isKey(first, { ...one, keyColumn: one.key.name }));
    const to = targets.find((one) => isKey(second, one));
    if (from === undefined || to === undefined) return [];
    const closed = closedBy(table, from);
    return [{ table, from, to, record, target, refuses: second?.onDelete !== "cascade", closed }];
  });
}

function isKey(
  target: FoundConstraint["target"],
  { table, keyColumn }: Pick<LinkedTable, "table" | "keyColumn">,
): boolean {
  return (
    table.schema === target?.schema &&
    table.name === target.table &&
    keyColumn === target.columnNames[0]
  );
}

function closedBy(table: FoundTable, from: TakenTable): Join["closed"] {
  const needed = ["insert", "delete"] as const;
  const lacking = needed.filter((right) => !table.rights.includes(right));
  if (lacking.length > 0) {
    const why = `the connected role lacks permission to ${lacking.join(" or ")}`;
    const grant = `grant ${lacking.join(", ")} on ${sqlTable(table)} to the role in database.url`;
    return { why, way: `${grant}, and remove readOnly from the list` };
  }
  const { rights } = from.table;
  if (!(rights.includes("insert") || rights.includes("update"))) {
    return { why: `the API does not write ${from.resource}`, way: null };
  }
  const key = table.constraints.find(({ kind }) => kind === "primary");
  if (!/ deferrable/i.test(key?.definition ?? "")) return null;
  const way = "add a unique index on both columns, and remove readOnly from the list";
  return { why: "its primary key is deferrable", way };
}

/** Returns the remarks on a join table. */
export function joinRemarks({ table, from, to, record, target, closed }: Join): readonly Remark[] {
  const links = `its rows are links of ${from.resource} to ${to.resource}`;
  const remark: Remark =
    closed === null
      ? {
          ...{ column: null, kind: "composite-key", taken: true, way: null },
          why: `${links}, a list of ${from.resource}`,
        }
      : {
          ...{ column: null, kind: "composite-key", taken: "read-only", way: closed.way },
          why: `${links}, read-only in the API: ${closed.why}`,
        };
  return [remark, ...unindexedLinks(table, [record, target])];
}

/** Returns the lists of each table's links, with names that are unused on the records of both sides. */
export function listsOf(joins: readonly Join[], wordsOn: WordsOn): Lists {
  const found = new Map<TakenTable, readonly JoinedList[]>();
  for (const { table, from, to, record, target, refuses, closed } of joins) {
    const words = wordsOn(from.resource);
    const name = unusedName(listName(target), words);
    const as = nameOfRecords(name, words);
    const inverse = inverseOf(from.resource, name, wordsOn(to.resource));
    const options = {
      type: "links",
      resource: to.resource,
      through: { table: spelledTable(table), record: record.name, target: target.name },
      ...(as !== null && { as }),
      inverse,
      ...(refuses && { onDelete: "refuse" }),
      maxItems: mostItems,
      ...(closed !== null && { readOnly: true as const }),
    };
    found.set(from, [...(found.get(from) ?? []), { name, options }]);
  }
  return found;
}

/**
 * Returns the name for the linked records if it must be specified; null if the default is free, such as `films` for
 * `filmIds`.
 */
function nameOfRecords(name: string, words: Set<string>): string | null {
  const plural = name.endsWith("Ids") ? pluralOf(name.slice(0, -"Ids".length)) : null;
  if (plural === null || words.has(plural)) return unusedName(`${name}Records`, words);
  words.add(plural);
  return null;
}

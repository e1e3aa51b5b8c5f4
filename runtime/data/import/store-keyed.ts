import {
  type Change,
  type Column,
  changeRows,
  createOfRow,
  type FileRow,
  isTelling,
  isValid,
  joinableChange,
  keyedStore,
  ownLinks,
  type RowOutcome,
  type RowsPlan,
  type RowsUnit,
  targetFinder,
  withTargets,
} from "../../resource/index.js";
import type { ReadRow } from "./row-reader.js";
import { insertStore, oneByOne, type Sendable, type StoreChunk } from "./store-chunk.js";

/** What is done with a row. */
type Step =
  | { readonly kind: "refuse"; readonly outcome: RowOutcome }
  | { readonly kind: "alone" }
  | { readonly kind: "create"; readonly sendable: Sendable; readonly id: string | null }
  | { readonly kind: "change"; readonly change: Change };

/** A row, with what its key is compared by; null where it has none. */
interface Planned {
  readonly read: ReadRow;
  readonly step: Step;
  readonly key: string | null;
}

/**
 * Stores rows that create a record or change the one that they find: as many as can be by one statement that creates and
 * one that changes. The order of rows with different keys shows only where a value is unique or a link leads to another
 * row; such a row is stored alone, after those before it, and so is one with a mistake. A key that comes again is looked
 * up again, once the row before is stored.
 */
export function togetherByKey(
  unit: RowsUnit,
  plan: RowsPlan,
  by: NonNullable<RowsPlan["by"]>,
): StoreChunk {
  const { actor, connection } = unit;
  const { definition, links } = plan;
  const { table } = definition;
  const toOwn = ownLinks(table);
  const remembering = targetFinder(connection);
  // A row may take the name away by which another one is found.
  const namesOwn = links.some(({ key }) => toOwn.includes(key));
  const finder = () => (namesOwn ? targetFinder(connection) : remembering);
  const store = keyedStore(actor, connection, definition);
  const single = oneByOne(unit, plan);
  const insert = insertStore(unit, plan);
  const isCompared = (key: string, column: Column) => isTelling(table, key, column);

  async function planned(rows: readonly ReadRow[]): Promise<readonly Planned[]> {
    const readable = rows.filter(({ row }) => row !== null);
    const linked = await withTargets(
      finder(),
      links,
      readable.flatMap(({ row }) => row ?? []),
    );
    const found = await store.stored(linked, by, isCompared);
    const at = new Map(readable.map((read, place) => [read, place]));
    return rows.map((read): Planned => {
      const place = at.get(read) ?? -1;
      const [row, one] = [linked[place], found[place]];
      if (row === undefined || one === undefined) {
        return { read, step: { kind: "refuse", outcome: read.unread }, key: null };
      }
      if ("issues" in one) return { read, step: { kind: "alone" }, key: null };
      if (one.stored === null) return { read, step: createStep(read, row), key: keyOf(row) };
      const joinable = joinableChange(actor, one.change, one.stored);
      const step: Step =
        joinable === null ? { kind: "alone" } : { kind: "change", change: joinable };
      return { read, step, key: one.stored.id };
    });
  }

  function createStep(read: ReadRow, row: FileRow): Step {
    const create = createOfRow(definition, row);
    if (!isValid(create.checked)) return { kind: "alone" };
    const { record } = read;
    const sent = { row: record.row, line: record.line, create, isWrong: false };
    const id = create.given?.hasId === true ? create.id : null;
    return { kind: "create", sendable: { read, sent }, id };
  }

  /** The values by which the row is found. What PostgreSQL takes for the same and this does not, it refuses to insert. */
  function keyOf({ values }: FileRow): string {
    const key = by.map(({ key }) => {
      const value = values[key];
      return typeof value === "string" ? value.trim() : value;
    });
    return JSON.stringify(key).normalize("NFKC").toLowerCase();
  }

  /** Whether the row links to one of those ids. */
  function leadsTo(ids: ReadonlySet<unknown>, { row }: ReadRow): boolean {
    return toOwn.some((key) => {
      const id = row?.values[key];
      return typeof id === "string" && ids.has(id.toLowerCase());
    });
  }

  /** Stores the first rows, at least one of them, and returns their outcomes. */
  async function storeFirst(rows: readonly ReadRow[]): Promise<readonly RowOutcome[]> {
    const all = await planned(rows);
    const made = new Set(
      all.flatMap(({ step }) => (step.kind === "create" ? (step.id ?? []) : [])),
    );
    const isAlone = ({ step, read }: Planned) => step.kind === "alone" || leadsTo(made, read);
    const seen = new Set<string>();
    const some: Planned[] = [];
    for (const one of all) {
      if (isAlone(one) || (one.key !== null && seen.has(one.key))) break;
      if (one.key !== null) seen.add(one.key);
      some.push(one);
    }
    if (some.length > 0) return storeSome(some);
    const alone = all.findIndex((one) => !isAlone(one));
    return single((alone < 0 ? all : all.slice(0, alone)).map(({ read }) => read));
  }

  async function storeSome(some: readonly Planned[]): Promise<readonly RowOutcome[]> {
    const creates = some.flatMap(({ step }) => (step.kind === "create" ? [step.sendable] : []));
    const changes = some.flatMap(({ step }) => (step.kind === "change" ? [step.change] : []));
    const created = await insert(creates);
    const changed = await changeRows(actor, table, changes);
    await unit.next();
    const outcomes: RowOutcome[] = [];
    let at = 0;
    for (const { read, step } of some) {
      if (step.kind === "refuse") outcomes.push(step.outcome);
      else if (step.kind === "create") {
        outcomes.push(created[at] ?? []);
        at += 1;
      } else if (step.kind === "change" && changed.has(step.change)) outcomes.push("updated");
      else outcomes.push(...(await single([read])));
    }
    return outcomes;
  }

  return async (rows) => {
    const outcomes: RowOutcome[] = [];
    for (let most = rows.length; outcomes.length < rows.length; ) {
      const stored = await storeFirst(rows.slice(outcomes.length, outcomes.length + most));
      outcomes.push(...stored);
      // Where keys come again soon, few rows are looked up that are looked up again.
      most = 2 * stored.length;
    }
    return outcomes;
  };
}

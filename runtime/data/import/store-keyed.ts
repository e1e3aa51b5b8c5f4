import { setImmediate } from "node:timers/promises";
import {
  type Change,
  type Column,
  changeRows,
  createOfRow,
  type FileRow,
  idOf,
  isTelling,
  isValid,
  joinableChange,
  keyedStore,
  ownerLinks,
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
  | { readonly kind: "create"; readonly sendable: Sendable }
  | { readonly kind: "change"; readonly change: Change };

/** Maximum number of rows that one statement inserts or updates. */
const mostInBatch = 500;

/** The number of rows after which the event loop can process PostgreSQL's responses. */
const turnAfter = 50;

/** A row, its action, and the key that detects repeated rows; null if the row is stored separately. */
interface Planned {
  readonly read: ReadRow;
  readonly step: Step;
  readonly key: string | null;
}

type LookedUp = (read: ReadRow) => Planned;

/** The outcomes of the first rows, and whether the lookups of the remaining rows are still valid. */
interface Stored {
  readonly outcomes: readonly RowOutcome[];
  readonly isAsPlanned: boolean;
}

/**
 * Stores rows that create a record or update the one that they match, as many as possible with one INSERT and one
 * UPDATE. The order of rows with different keys matters only if a value is unique or a link leads to another row. Such
 * a row, or one with a mistake, is stored separately after the rows before it. A repeated key is looked up again after
 * the previous row is stored.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one machine, whose steps share the plan of an import
export function togetherByKey(
  unit: RowsUnit,
  plan: RowsPlan,
  by: NonNullable<RowsPlan["by"]>,
): StoreChunk {
  const { actor, connection } = unit;
  const { definition, links } = plan;
  const { table } = definition;
  const toOwners = ownerLinks(table);
  const remembering = targetFinder(connection);
  // Storing a row can change which record a name refers to.
  const namesOwner = links.some(({ key }) => toOwners.includes(key));
  const finder = () => (namesOwner ? targetFinder(connection) : remembering);
  const store = keyedStore(actor, connection, definition);
  const single = oneByOne(unit, plan);
  const insert = insertStore(unit, plan);
  const isCompared = (key: string, column: Column) => isTelling(table, key, column);

  /** Looks up the rows' matches; the action of each row is determined on demand. */
  async function lookUp(rows: readonly ReadRow[]): Promise<LookedUp> {
    const readable = rows.filter(({ row }) => row !== null);
    const linked = await withTargets(
      finder(),
      links,
      readable.flatMap(({ row }) => row ?? []),
    );
    const found = await store.stored(linked, by, isCompared);
    const places = new Map(readable.map((read, place) => [read, place]));
    const made = new Set<string>();
    for (const [place, one] of found.entries()) {
      if ("stored" in one && one.stored === null) {
        const id = idOf(table, linked[place]?.values.id);
        if (id !== null) made.add(id);
      }
    }
    const isAlone = (read: ReadRow) => leadsTo(made, read);
    return (read) => {
      const place = places.get(read) ?? -1;
      const [row, one] = [linked[place], found[place]];
      if (row === undefined || one === undefined) {
        return { read, step: { kind: "refuse", outcome: read.unread }, key: null };
      }
      if ("issues" in one || isAlone(read)) return { read, step: { kind: "alone" }, key: null };
      if (one.stored === null) return { read, step: createStep(read, row), key: keyOf(row) };
      const joinable = joinableChange(actor, one.change(), one.stored);
      const step: Step =
        joinable === null ? { kind: "alone" } : { kind: "change", change: joinable };
      return { read, step, key: one.stored.id };
    };
  }

  function createStep(read: ReadRow, row: FileRow): Step {
    const create = createOfRow(definition, row);
    if (!isValid(create.checked)) return { kind: "alone" };
    const { record } = read;
    const sent = { row: record.row, line: record.line, create, isWrong: false };
    return { kind: "create", sendable: { read, sent } };
  }

  /**
   * The values by which the row is matched. PostgreSQL refuses the insert if it considers two keys
   * equal that differ here.
   */
  function keyOf({ values }: FileRow): string {
    const key = by.map(({ key }) => {
      const value = values[key];
      return typeof value === "string" ? value.trim() : value;
    });
    return JSON.stringify(key).normalize("NFKC").toLowerCase().replaceAll("ς", "σ");
  }

  /** Whether the row links to one of those ids. */
  function leadsTo(ids: ReadonlySet<unknown>, { row }: ReadRow): boolean {
    return toOwners.some((key) => {
      const id = row?.values[key];
      return typeof id === "string" && ids.has(id.toLowerCase());
    });
  }

  /**
   * Stores at least the first of the rows, and returns the outcomes. While PostgreSQL stores a
   * batch, the next one is prepared.
   */
  async function storeFirst(rows: readonly ReadRow[]): Promise<readonly RowOutcome[]> {
    const planOf = await lookUp(rows);
    const seen = new Set<string>();
    let storing: Promise<Stored> = Promise.resolve({ outcomes: [], isAsPlanned: true });
    let isOver = false;
    for (let at = 0; !isOver && at < rows.length; ) {
      const batch: Planned[] = [];
      for (; batch.length < mostInBatch && at < rows.length; at += 1) {
        const read = rows[at];
        if (read === undefined) break;
        const one = planOf(read);
        isOver = one.step.kind === "alone" || (one.key !== null && seen.has(one.key));
        if (isOver) break;
        if (one.key !== null) seen.add(one.key);
        batch.push(one);
        if (batch.length % turnAfter === 0) await setImmediate();
      }
      const before = await storing;
      if (!before.isAsPlanned) return before.outcomes;
      if (batch.length === 0) break;
      const isFirst = before.outcomes.length === 0;
      storing = storeSome(batch, { isFirst }).then((stored) => ({
        ...stored,
        outcomes: [...before.outcomes, ...stored.outcomes],
      }));
      // Prevents an unhandled rejection: the promise is awaited when the next batch is ready.
      storing.catch(() => {});
    }
    const stored = await storing;
    if (stored.outcomes.length > 0) return stored.outcomes;
    const alone = rows.findIndex((read) => planOf(read).step.kind !== "alone");
    return single(alone < 0 ? rows : rows.slice(0, alone));
  }

  /**
   * Stores rows. If rows were stored since the lookup and one of these cannot be inserted, none is stored: it may match
   * a record that was stored since.
   */
  async function storeSome(
    some: readonly Planned[],
    { isFirst }: { readonly isFirst: boolean },
  ): Promise<Stored> {
    const creates = some.flatMap(({ step }) => (step.kind === "create" ? [step.sendable] : []));
    const changes = some.flatMap(({ step }) => (step.kind === "change" ? [step.change] : []));
    const created = isFirst ? await insert.each(creates) : await insert.all(creates);
    if (created === null) return { outcomes: [], isAsPlanned: false };
    const changed = await changeRows(actor, table, changes);
    await unit.next();
    let isAsPlanned = created.every((outcome) => outcome === "created");
    const outcomes: RowOutcome[] = [];
    let at = 0;
    for (const { read, step } of some) {
      if (step.kind === "refuse") outcomes.push(step.outcome);
      else if (step.kind === "create") {
        outcomes.push(created[at] ?? []);
        at += 1;
      } else if (step.kind === "change" && changed.has(step.change)) outcomes.push("updated");
      else {
        isAsPlanned = false;
        outcomes.push(...(await single([read])));
      }
    }
    return { outcomes, isAsPlanned };
  }

  return async (rows) => {
    const outcomes: RowOutcome[] = [];
    for (let most = rows.length; outcomes.length < rows.length; ) {
      const stored = await storeFirst(rows.slice(outcomes.length, outcomes.length + most));
      outcomes.push(...stored);
      // Limits how many rows are looked up twice if keys repeat often.
      most = 2 * stored.length;
    }
    return outcomes;
  };
}

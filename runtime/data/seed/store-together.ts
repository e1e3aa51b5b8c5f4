import {
  type ByRule,
  createOfRow,
  insertRows,
  isValid,
  keyedStore,
  ownerLinks,
  type ResourceDefinition,
  type SentRow,
  type StoredRow,
} from "../../resource/index.js";
import { findTargets } from "./links.js";
import type { SeedRecord } from "./read.js";
import { type Ready, readyOf, type Waits, wholeOf } from "./ready.js";
import type { SeederOptions, SeedOutcome } from "./seeding.js";

interface Several {
  readonly definition: ResourceDefinition;
  readonly by: ByRule;
  readonly records: readonly SeedRecord[];
  /** Stores a single record, after all before it are stored. */
  alone(record: SeedRecord): Promise<SeedOutcome>;
}

/** A record's matches before any of them is stored. */
type Found = Waits | { readonly ready: Ready; readonly stored: StoredRow | null };

/**
 * Stores records in order if only constraints decide: new ones in one statement, as far as PostgreSQL accepts them. All
 * matches are looked up first. A record is stored separately if it changes a stored one, may refer to another of these
 * records, or has a mistake, which is then reported.
 */
export async function storeTogether(
  options: SeederOptions,
  { definition, by, records, alone }: Several,
): Promise<readonly SeedOutcome[]> {
  const { unit, storage } = options;
  const store = keyedStore(unit.actor, unit.connection, definition);
  const outcomes = new Map<SeedRecord, SeedOutcome>();
  let added: { readonly record: SeedRecord; readonly sent: SentRow }[] = [];

  const storeAdded = async () => {
    const some = added;
    added = [];
    const rows = some.map(({ sent }) => sent);
    const areStored = await insertRows(unit.actor, definition.table, rows);
    for (const { record } of some) {
      outcomes.set(record, areStored ? { stored: "created" } : await alone(record));
    }
  };

  /** The insert of a new record; `same` if the stored record does not differ; null if it must be written separately. */
  const plain = async ({ ready, stored }: Exclude<Found, Waits>) => {
    const { row, wrong } = await wholeOf(ready, storage, stored?.files ?? {});
    if (wrong.size > 0) return null;
    if (stored !== null) return store.difference(row, stored) === null ? "same" : null;
    const create = createOfRow(definition, row);
    return isValid(create.checked) ? create : null;
  };

  const found = await lookUp(options, { definition, by, records });
  for (const record of records) {
    const one = found.get(record) ?? null;
    if (one !== null && "waits" in one) {
      outcomes.set(record, one);
      continue;
    }
    const create = one === null ? null : await plain(one);
    if (create === "same") outcomes.set(record, { stored: "unchanged" });
    else if (create !== null) {
      added.push({ record, sent: { row: added.length, line: null, create, isWrong: false } });
    } else {
      await storeAdded();
      outcomes.set(record, await alone(record));
    }
  }
  await storeAdded();
  await unit.next();
  return records.flatMap((record) => outcomes.get(record) ?? []);
}

/** Looks up the matches of all records in one statement; omits records that must be stored separately. */
async function lookUp(
  { unit: { actor, connection }, definitions, now }: SeederOptions,
  { definition, by, records }: Omit<Several, "alone">,
): Promise<ReadonlyMap<SeedRecord, Found>> {
  const found = new Map<SeedRecord, Found>();
  const free = records.filter((record) => !isTied(record));
  const sound: Ready[] = [];
  for (const [at, targets] of (await findTargets(connection, definitions, free)).entries()) {
    const record = free[at];
    if (record === undefined) continue;
    const ready = readyOf(record, { targets, now });
    if ("waits" in ready) found.set(record, ready);
    else if (ready.wrong.size === 0) sound.push(ready);
  }
  const rows = sound.map(({ row }) => row);
  const all = await keyedStore(actor, connection, definition).stored(rows, by);
  const times = new Map<string, number>();
  for (const one of all) {
    const id = "stored" in one ? one.stored?.id : undefined;
    if (id !== undefined) times.set(id, (times.get(id) ?? 0) + 1);
  }
  for (const [at, ready] of sound.entries()) {
    const one = all[at];
    if (one === undefined || "issues" in one) continue;
    // Of two records that match the same stored one, the second must see the first one's changes.
    if (one.stored !== null && times.get(one.stored.id) !== 1) continue;
    found.set(ready.record, { ready, stored: one.stored });
  }
  return found;
}

/** Whether a record may refer to another one of its resource. */
function isTied({ definition: { table }, values }: SeedRecord): boolean {
  return ownerLinks(table).some((key) => (values[key] ?? null) !== null);
}

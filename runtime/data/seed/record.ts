import {
  type ByRule,
  keyedStore,
  type RowIssue,
  rowIssuesOf,
  runsNoAppCode,
} from "../../resource/index.js";
import type { Problem } from "../../values/problem.js";
import { findTargets } from "./links.js";
import type { SeedFile, SeedRecord } from "./read.js";
import { readyOf, wholeOf } from "./ready.js";
import type { SeederOptions, SeedOutcome } from "./seeding.js";
import { storeTogether } from "./store-together.js";

/** Stores the records of seed files in a transaction. */
export interface Seeder {
  /** Stores records of a file in their order, and returns the outcome of each. */
  store(file: SeedFile, records: readonly SeedRecord[]): Promise<readonly SeedOutcome[]>;
  /**
   * Stores a record whose links no longer wait: a link without a match is a mistake, which is
   * reported unless its resource is among `lost`.
   */
  storeLast(file: SeedFile, record: SeedRecord, lost: ReadonlySet<string>): Promise<SeedOutcome>;
}

export function newSeeder(options: SeederOptions): Seeder {
  const { unit, definitions, storage, now } = options;
  const { actor, connection } = unit;

  async function storeAlone(
    record: SeedRecord,
    by: ByRule,
    lost?: ReadonlySet<string>,
  ): Promise<SeedOutcome> {
    const [targets = new Map()] = await findTargets(connection, definitions, [record]);
    const ready = readyOf(record, { targets, now, lost });
    if ("waits" in ready) return ready;
    const store = keyedStore(actor, connection, record.definition);
    let whole: Awaited<ReturnType<typeof wholeOf>> | null = null;
    const refused = async (issues: readonly RowIssue[]): Promise<SeedOutcome> => {
      whole ??= await wholeOf(ready, storage, {});
      return { problems: problemsOf(record, whole.wrong, issues) };
    };
    try {
      const [found = { stored: null }] = await store.stored([ready.row], by);
      if ("issues" in found) return await refused(found.issues);
      const { stored } = found;
      whole = await wholeOf(ready, storage, stored?.files ?? {});
      if (stored !== null) return { stored: await store.settle(whole.row, stored) };
      return { stored: await store.add(whole.row) };
    } catch (error) {
      return await refused(rowIssuesOf(error));
    } finally {
      await unit.next();
    }
  }

  return {
    async store({ definition, by }, records) {
      const { table } = definition;
      const alone = (record: SeedRecord) => storeAlone(record, by);
      const events = ["insert", "update"] as const;
      if (await runsNoAppCode(actor, connection, { table, events })) {
        return storeTogether(options, { definition, by, records, alone });
      }
      const outcomes: SeedOutcome[] = [];
      for (const record of records) outcomes.push(await alone(record));
      return outcomes;
    },
    storeLast: ({ by }, record, lost) => storeAlone(record, by, lost),
  };
}

/** The problems of a record: with its references, and with its other values. */
function problemsOf(
  record: SeedRecord,
  wrong: ReadonlyMap<string, readonly Problem[]>,
  issues: readonly RowIssue[],
): readonly Problem[] {
  const others = issues
    .filter(({ path }) => path === null || !wrong.has(path))
    .map(({ path, message }) =>
      path === null
        ? record.problemAt([], message)
        : record.problemAt([path], `${path}: ${message}`),
    );
  return [...[...wrong.values()].flat(), ...others];
}

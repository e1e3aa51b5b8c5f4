import type { Problem } from "../../values/problem.js";
import { targetsFirst } from "./order.js";
import type { ReadSeeds, SeedFile, SeedRecord } from "./read.js";
import type { Seeder } from "./record.js";
import type { SeedCounts } from "./request.js";
import type { SeedOutcome } from "./seeding.js";

/** A record that waits for another one to be stored, and the problem if that never happens. */
interface Waiting {
  readonly file: SeedFile;
  readonly record: SeedRecord;
  readonly outcome: Extract<SeedOutcome, { readonly waits: string }> | null;
}

/**
 * Stores the records of all files, and returns their mistakes. A record whose link matches nothing
 * waits for later records, until no more of them can be stored.
 */
export async function storeAll(
  { files, unread }: ReadSeeds,
  seeder: Seeder,
  count: (resource: string, outcome: keyof SeedCounts) => void,
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const incomplete = new Set<string>(unread);
  let waiting: readonly Waiting[] = targetsFirst(files).flatMap((file) =>
    file.records.map((record) => ({ file, record, outcome: null })),
  );
  for (let before = -1; waiting.length > 0 && waiting.length !== before; ) {
    before = waiting.length;
    const next: Waiting[] = [];
    for (const { file, records } of chunksOf(waiting)) {
      const { resource } = file.definition.table;
      const outcomes = await seeder.store(file, records);
      for (const [at, record] of records.entries()) {
        const outcome = outcomes[at];
        if (outcome === undefined) continue;
        if ("waits" in outcome) next.push({ file, record, outcome });
        else if ("stored" in outcome) count(resource, outcome.stored);
        else {
          problems.push(...outcome.problems);
          incomplete.add(resource);
        }
      }
    }
    waiting = next;
  }
  const lost = lostResources(waiting, incomplete);
  for (const { file, record } of waiting) {
    const outcome = await seeder.storeLast(file, record, lost);
    if ("problems" in outcome) problems.push(...outcome.problems);
  }
  return problems;
}

/** Maximum number of records that are stored in one batch. */
const mostTogether = 500;

interface Chunk {
  readonly file: SeedFile;
  readonly records: SeedRecord[];
}

/** Groups consecutive records of the same file, keeping the order. */
function chunksOf(waiting: readonly Waiting[]): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (const { file, record } of waiting) {
    const last = chunks.at(-1);
    if (last?.file === file && last.records.length < mostTogether) last.records.push(record);
    else chunks.push({ file, records: [record] });
  }
  return chunks;
}

/**
 * The resources whose records may be missing: those with a refused record or an unreadable file,
 * and those with records that wait for these. An unmatched link to them follows from a mistake that
 * has already been reported.
 */
function lostResources(
  waiting: readonly Waiting[],
  incomplete: ReadonlySet<string>,
): ReadonlySet<string> {
  const lost = new Set(incomplete);
  for (let before = -1; before !== lost.size; ) {
    before = lost.size;
    for (const { file, outcome } of waiting) {
      if (outcome !== null && lost.has(outcome.waits)) lost.add(file.definition.table.resource);
    }
  }
  return lost;
}

import type { Problem } from "../../values/problem.js";
import { targetsFirst } from "./order.js";
import type { ReadSeeds, SeedFile, SeedRecord } from "./read.js";
import type { Seeder, SeedOutcome } from "./record.js";
import type { SeedCounts } from "./request.js";

/** A record that waits for another one to be stored, and the problem if that never is. */
interface Waiting {
  readonly file: SeedFile;
  readonly record: SeedRecord;
  readonly outcome: Extract<SeedOutcome, { readonly waits: string }> | null;
}

/**
 * Stores the records of all files, and returns their mistakes. A record whose link finds nothing waits for the records
 * after it, until no more of them can be stored.
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
    for (const { file, record } of waiting) {
      const outcome = await seeder.store(record, file.by);
      const { resource } = file.definition.table;
      if ("waits" in outcome) next.push({ file, record, outcome });
      else if ("stored" in outcome) count(resource, outcome.stored);
      else {
        problems.push(...outcome.problems);
        incomplete.add(resource);
      }
    }
    waiting = next;
  }
  return [...problems, ...lost(waiting, incomplete)];
}

/**
 * The mistakes of records whose links find nothing. A link whose target may be in a refused record, or in a file that
 * cannot be read, is left out: that mistake is reported already.
 */
function lost(waiting: readonly Waiting[], incomplete: Set<string>): readonly Problem[] {
  for (let before = -1; before !== incomplete.size; ) {
    before = incomplete.size;
    for (const { file, outcome } of waiting) {
      if (outcome !== null && incomplete.has(outcome.waits)) {
        incomplete.add(file.definition.table.resource);
      }
    }
  }
  return waiting.flatMap(({ outcome }) =>
    outcome === null || incomplete.has(outcome.waits) ? [] : [outcome.problem],
  );
}

import { lockNumbers, type Session } from "../../db/index.js";
import type { Services } from "../../own-code/index.js";
import {
  type AfterHooks,
  inRowsUnit,
  type ResourceDefinition,
  type RowsUnit,
} from "../../resource/index.js";
import type { Uploads } from "../../uploads/index.js";
import { compareProblems, type Problem } from "../../values/problem.js";
import { moveIds } from "../session/sequence.js";
import { inTransaction, runAfter, Undone, undoable } from "../session/transaction.js";
import { storeAll } from "./all.js";
import { seedStorage } from "./files.js";
import { readSeeds } from "./read.js";
import { newSeeder } from "./record.js";
import type { SeedCounts, SeedEvent, SeedRequest } from "./request.js";

export interface SeededApp {
  readonly services: Services;
  readonly after: AfterHooks;
  readonly definitions: readonly ResourceDefinition[];
  readonly uploads: Uploads;
}

/** Stores the records of the seed files in one transaction, or nothing if there is any mistake. */
export async function runSeed(
  app: SeededApp,
  { folder, resources, onlyEmpty }: SeedRequest,
  session: Session,
): Promise<SeedEvent> {
  const { services, definitions } = app;
  // Held until the session ends: a concurrent seeding, such as that of `dev`, finds these records.
  await session.query("select pg_advisory_lock($1)", [lockNumbers.seed]);
  if (onlyEmpty && !(await isEmpty(session, definitions))) return { kind: "filled" };
  const seeds = readSeeds(folder, resources, definitions);
  const storage = seedStorage({ ...app, folder });
  const counts = new Map<string, SeedCounts>();
  const problems: Problem[] = [...seeds.problems];
  const run = async (unit: RowsUnit) => {
    const seeder = newSeeder({ unit, definitions, storage, now: services.clock.now() });
    for (const { definition } of seeds.files) counts.set(definition.table.resource, none);
    const found = await storeAll(seeds, seeder, (resource, outcome) => {
      const known = counts.get(resource) ?? none;
      counts.set(resource, { ...known, [outcome]: known[outcome] + 1 });
    });
    problems.push(...found);
    await unit.next();
    if (problems.length > 0) throw new Undone();
  };
  let isKept = false;
  try {
    await undoable(() =>
      inRowsUnit(services, (work, onWait) => inTransaction(session, work, onWait), run),
    );
    isKept = problems.length === 0;
  } finally {
    if (!isKept) await storage.discard();
  }
  if (!isKept) return { kind: "problems", problems: problems.toSorted(compareProblems) };
  for (const { definition } of seeds.files) await moveIds(session, definition);
  await runAfter({ ...app, session });
  return {
    kind: "done",
    result: { resources: Object.fromEntries(counts), files: storage.count },
  };
}

const none: SeedCounts = { created: 0, updated: 0, unchanged: 0 };

async function isEmpty(
  { query }: Session,
  definitions: readonly ResourceDefinition[],
): Promise<boolean> {
  for (const { table } of definitions) {
    if ((await query(`select from ${table.name} limit 1`)).length > 0) return false;
  }
  return true;
}

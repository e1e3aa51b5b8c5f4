import type { Queryable } from "../../db/index.js";
import type { Services } from "../../own-code/index.js";
import { plainName } from "../table/column-keys.js";
import type { ResourceDefinition } from "../table/definition.js";

/** Deletes expired records from the trash until it is closed. */
export interface Expiring {
  close(): Promise<void>;
}

/** Milliseconds between two runs; the first one is as long after the start. */
const usualPause = 60_000;

/** The number of rows after which a statement ends: 10,000 take about a second, and the limit is ten seconds. */
const atOnce = 10_000;

/** Starts to delete records that have been in the trash for as long as their resource says. */
export function startExpiring(
  { db, log }: Pick<Services, "db" | "log">,
  definitions: readonly ResourceDefinition[],
  pause = usualPause,
): Expiring {
  const days = daysByTable(definitions);
  let isClosed = false;
  let run: Promise<void> | null = null;

  async function expire(): Promise<void> {
    try {
      while (!isClosed && (await expireTrash(db, days)) > 0);
    } catch (error) {
      log.warn({ err: error }, "expired records were not deleted from the trash");
    }
  }

  const timer = setInterval(() => {
    run ??= expire().finally(() => {
      run = null;
    });
  }, pause).unref();
  if (Object.keys(days).length === 0) clearInterval(timer);
  return {
    async close() {
      isClosed = true;
      clearInterval(timer);
      await run;
    },
  };
}

type Days = Readonly<Record<string, number>>;

function daysByTable(definitions: readonly ResourceDefinition[]): Days {
  const kept = definitions.flatMap(({ table }) =>
    table.trash === undefined ? [] : [[plainName(table), table.trash.days] as const],
  );
  return Object.fromEntries(kept);
}

/** Returns how many rows were deleted; 0 while another server deletes them. */
async function expireTrash(db: Queryable, days: Days): Promise<number> {
  const [row] = await db.query<{ rows: number }>("select service.expire_trash($1, $2) as rows", [
    JSON.stringify(days),
    atOnce,
  ]);
  return row?.rows ?? 0;
}

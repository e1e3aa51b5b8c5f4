import type { Queryable } from "../../db/index.js";
import type { Services } from "../../own-code/index.js";
import type { ResourceDefinition } from "../table/definition.js";

/** Indexes the words of records whose linked records have changed, until `close` is called. */
export interface Indexing {
  close(): Promise<void>;
}

/** Milliseconds between two runs, and before the first one. */
const usualPause = 15_000;

/** Records indexed per statement. */
const atOnce = 200;

/**
 * Starts to index the words of records that link to changed ones, if there are too many to index in one transaction.
 */
export function startIndexing(
  { db, log }: Pick<Services, "db" | "log">,
  definitions: readonly ResourceDefinition[],
  pause = usualPause,
): Indexing {
  let isClosed = false;
  let run: Promise<void> | null = null;

  async function index(): Promise<void> {
    try {
      while (!isClosed && (await indexChanged(db)));
    } catch (error) {
      log.warn({ err: error }, "words of changed records were not indexed");
    }
  }

  const timer = setInterval(() => {
    run ??= index().finally(() => {
      run = null;
    });
  }, pause).unref();
  if (!definitions.some(hasLinkedWords)) clearInterval(timer);
  return {
    async close() {
      isClosed = true;
      clearInterval(timer);
      await run;
    },
  };
}

function hasLinkedWords({ table: { words } }: ResourceDefinition): boolean {
  return Object.values(words?.fields ?? {}).some(({ link }) => link !== undefined);
}

/** Indexes a batch. Returns whether there may be more; false if another server is indexing. */
export async function indexChanged(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ more: boolean }>("select service.index_changed($1) as more", [
    atOnce,
  ]);
  return row?.more === true;
}

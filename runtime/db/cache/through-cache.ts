import { currentRequest, startRequest } from "../../request/index.js";
import type { CachedRead, RowCache } from "./row-cache.js";

/** What a statement says besides its row. */
interface Seen {
  readonly snapshot: string;
}

/** The two statements of a read; null where their caller is nobody. */
export interface Statements<S extends Seen, Row extends object> {
  /** Asks for no row. */
  look(): Promise<S | null>;
  ask(): Promise<{ readonly seen: S; readonly row: Row } | null>;
}

/**
 * Reads a row: one that is cached where a look says that nothing has been written since. Where something was, the look was
 * in vain, which happens once for each row that is cached.
 */
export async function throughCache<S extends Seen, Row extends object>(
  cache: RowCache | undefined,
  read: CachedRead,
  { look, ask }: Statements<S, Row>,
): Promise<{ readonly seen: S; readonly row: Row } | null> {
  const anew = async () => {
    const found = await ask();
    if (found !== null) cache?.add(read, { row: found.row, snapshot: found.seen.snapshot });
    return found;
  };
  const cached = cache?.find<Row>(read) ?? null;
  if (cache === undefined || cached === null) return anew();
  const request = currentRequest();
  const seen = await look();
  if (seen === null) return null;
  return cache.isCurrent(cached, seen.snapshot)
    ? { seen, row: cached.row }
    : startRequest(request, anew);
}

import type { LoggedChange } from "../log/read.js";

/** Some changes of one resource, record by record. Those of a transaction count when its last one of the record is read. */
export interface ChangedRecords {
  /** Whether all its records were deleted by a `truncate`. */
  readonly isEmptied: boolean;
  readonly ids: readonly string[];
  /** The numbers of the first and the last change of each of these records, in whole transactions. */
  readonly firsts: readonly number[];
  readonly lasts: readonly number[];
}

/** The changes by resource. */
export function changedRecords(
  changes: readonly LoggedChange[],
): ReadonlyMap<string, ChangedRecords> {
  const byResource = new Map<string, LoggedChange[]>();
  for (const change of changes) {
    const known = byResource.get(change.resource);
    if (known === undefined) byResource.set(change.resource, [change]);
    else known.push(change);
  }
  return new Map([...byResource].map(([resource, own]) => [resource, recordsOf(own)]));
}

function recordsOf(changes: readonly LoggedChange[]): ChangedRecords {
  const places = new Map<string, number>();
  const firsts: number[] = [];
  const lasts: number[] = [];
  for (const { id, n, first, isLast } of changes) {
    if (id === null || !isLast) continue;
    const place = places.get(id) ?? places.size;
    places.set(id, place);
    firsts[place] ??= first;
    lasts[place] = n;
  }
  const isEmptied = changes.some(({ op }) => op === "truncate");
  return { isEmptied, ids: [...places.keys()], firsts, lasts };
}

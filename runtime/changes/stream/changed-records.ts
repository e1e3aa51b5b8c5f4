import type { LoggedChange } from "../log/read.js";

/** Changes of one resource by record. A transaction's changes to a record are omitted until its last one is read. */
export interface ChangedRecords {
  /** Whether a `truncate` deleted all records of the resource. */
  readonly isEmptied: boolean;
  readonly ids: readonly string[];
  /** The number of the first change of each record, in whole transactions; `lasts` holds those of the last ones. */
  readonly firsts: readonly number[];
  readonly lasts: readonly number[];
}

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

import type { Services } from "../../own-code/index.js";
import type { Watched, WatchedRow } from "../../resource/index.js";
import type { LoggedChange } from "../log/read.js";
import { eventText, type ResetReason } from "./events.js";

/** The events that some changes cause for readers of the same watch. */
export interface ChangeEvents {
  /** In order; the last one has no id yet. */
  readonly events: readonly string[];
  /** Why the readers have to list again instead; null where they need not. */
  readonly reset: ResetReason | null;
}

const nothing: ChangeEvents = { events: [], reset: null };

/**
 * The events of some changes for readers of one watch. The changes of one record become one event, from the record before
 * the first to the record after the last.
 */
export async function changeEvents(
  { db, signFiles }: Pick<Services, "db" | "signFiles">,
  watched: readonly Watched[],
  changes: readonly LoggedChange[],
): Promise<ChangeEvents> {
  if (changes.length === 0) return nothing;
  const byResource = watched.map((one) => {
    const own = changes.filter(({ resource }) => resource === one.table.resource);
    return { watched: one, own };
  });
  if (byResource.some(({ own }) => own.some(({ op }) => op === "truncate"))) {
    return { events: [], reset: "schema" };
  }
  const numbered = await Promise.all(
    byResource.map(async ({ watched: one, own }) => {
      const records = byRecord(own);
      if (records.size === 0) return [];
      const ids = [...records.keys()];
      const firsts = ids.map((id) => records.get(id)?.first);
      const lasts = ids.map((id) => records.get(id)?.last);
      const { resource } = one.table;
      const rows = await db.query<WatchedRow>(one.text, [
        ...[ids, firsts, lasts, resource],
        ...one.values,
      ]);
      return rows.flatMap((row) => {
        const json = changeJson(one.table.resource, row, signFiles);
        return json === null ? [] : [{ n: records.get(row.id)?.last ?? 0, json }];
      });
    }),
  );
  const sorted = numbered.flat().sort((one, other) => one.n - other.n);
  return { events: sorted.map(({ json }) => eventText("change", json)), reset: null };
}

/** The numbers of each record's first and last change. */
function byRecord(changes: readonly LoggedChange[]) {
  const found = new Map<string, { readonly first: number; readonly last: number }>();
  for (const { id, n } of changes) {
    if (id !== null) found.set(id, { first: found.get(id)?.first ?? n, last: n });
  }
  return found;
}

/** Null where nothing has changed that the reader may see. */
function changeJson(
  resource: string,
  { id, before, after, json, changed }: WatchedRow,
  signFiles: (json: string) => string,
): string | null {
  if (!before && !after) return null;
  const start = `{"resource":${JSON.stringify(resource)}`;
  if (!after) return `${start},"op":"delete","id":"${id}","record":null,"changed":null}`;
  if (before && changed.length === 0) return null;
  const op = before ? "update" : "create";
  const named = changed.filter((key) => key !== "updatedAt");
  const record = json === null ? "null" : signFiles(json);
  return `${start},"op":"${op}","id":"${id}","record":${record},"changed":${JSON.stringify(named)}}`;
}

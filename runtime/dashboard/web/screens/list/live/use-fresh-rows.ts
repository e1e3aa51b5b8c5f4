import { useEffect, useRef, useState } from "react";
import type { Page, Row } from "../../../api/client/types.js";
import type { ReadRow } from "../cell/rows-in-place.js";
import { type Columns, fieldsOf } from "../rows/columns.js";
import type { Marks } from "../rows/rows.js";
import { useStableCallbacks } from "../stable-callbacks.js";

/** Milliseconds for which changes are collected before their rows are read, and between two such reads. */
const gatherMs = 150;
const pauseMs = 1_000;
/** Milliseconds for which a changed cell is marked. */
const markedMs = 3_000;

export interface FreshRowsOptions {
  readonly page: Page<Row>;
  readonly columns: Columns;
  readonly readRows: (ids: readonly string[]) => Promise<readonly ReadRow[]>;
  /** Rows that can no longer be read. */
  readonly onMissing: (ids: readonly string[]) => void;
}

/** Reads changed rows again in place, and briefly marks the values that differ. */
export function useFreshRows({ page, columns, readRows, onMissing }: FreshRowsOptions): {
  readonly fresh: Marks["fresh"];
  readonly renew: (ids: readonly string[]) => void;
} {
  const [fresh, setFresh] = useState<Marks["fresh"]>(new Map());
  const pending = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const ends = useRef(new Set<ReturnType<typeof setTimeout>>());
  const isReading = useRef(false);
  const latest = useRef(page);
  latest.current = page;
  const on = useStableCallbacks({
    renew: (ids: readonly string[]) => {
      for (const id of ids) pending.current.add(id);
      if (!isReading.current && timer.current === null) {
        timer.current = setTimeout(() => on.read(), gatherMs);
      }
    },
    read: () => {
      timer.current = null;
      const ids = [...pending.current];
      pending.current.clear();
      if (ids.length === 0) return;
      isReading.current = true;
      const before = new Map(latest.current.data.map((row) => [row.id, row]));
      readRows(ids)
        .then((found) => {
          mark(before, found);
          onMissing(ids.filter((id) => !found.some(({ row }) => row.id === id)));
        })
        // The rows stay unchanged until the list is loaded.
        .catch(() => {})
        .finally(() => {
          isReading.current = false;
          if (pending.current.size > 0) timer.current = setTimeout(() => on.read(), pauseMs);
        });
    },
  });
  function mark(before: ReadonlyMap<string, Row>, found: readonly ReadRow[]): void {
    const marked = found.flatMap(({ row }) => {
      const names = differing(columns, before.get(row.id), row);
      return names.size === 0 ? [] : [[row.id, names] as const];
    });
    if (marked.length === 0) return;
    setFresh((former) => new Map([...former, ...marked]));
    const end = setTimeout(() => {
      ends.current.delete(end);
      setFresh((former) => {
        const left = [...former].filter(([id, names]) =>
          marked.every(([other, ended]) => other !== id || ended !== names),
        );
        return new Map(left);
      });
    }, markedMs);
    ends.current.add(end);
  }
  useEffect(
    () => () => {
      pending.current.clear();
      if (timer.current !== null) clearTimeout(timer.current);
      for (const end of ends.current) clearTimeout(end);
    },
    [],
  );
  return { fresh, renew: on.renew };
}

/** The columns whose values differ; for a link, also if the title of its record differs. */
function differing(columns: Columns, before: Row | undefined, after: Row): ReadonlySet<string> {
  if (before === undefined) return new Set();
  // The time of the change always differs, which is not news.
  const fields = [columns.title, ...fieldsOf(columns)].filter(({ name }) => name !== "updatedAt");
  const differs = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  const changed = fields.filter(
    ({ name, link }) => differs(name) || (link !== undefined && differs(link)),
  );
  return new Set(changed.map(({ name }) => name));
}

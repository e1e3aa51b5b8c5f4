import { useEffect, useRef, useState } from "react";
import type { Page, Row } from "../../../api/client/types.js";
import type { ReadRow } from "../cell/rows-in-place.js";
import { type Columns, fieldsOf } from "../rows/columns.js";
import type { Marks } from "../rows/rows.js";
import { useGathered } from "./gathered.js";

/** Milliseconds for which a changed cell is marked. */
const markedMs = 3_000;

export interface FreshRowsOptions {
  readonly page: Page<Row>;
  readonly columns: Columns;
  readonly readRows: (ids: readonly string[]) => Promise<readonly ReadRow[]>;
  /** Called with the ids of rows that can no longer be read. */
  readonly onMissing: (ids: readonly string[]) => void;
}

/** Reads changed rows again in place, and briefly marks the values that differ. */
export function useFreshRows({ page, columns, readRows, onMissing }: FreshRowsOptions): {
  readonly fresh: Marks["fresh"];
  readonly renew: (ids: readonly string[]) => void;
} {
  const [fresh, setFresh] = useState<Marks["fresh"]>(new Map());
  const ends = useRef(new Set<ReturnType<typeof setTimeout>>());
  const latest = useRef(page);
  latest.current = page;
  const renew = useGathered(async (ids) => {
    const before = new Map(latest.current.data.map((row) => [row.id, row]));
    const found = await readRows(ids);
    mark(before, found);
    onMissing(ids.filter((id) => !found.some(({ row }) => row.id === id)));
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
      for (const end of ends.current) clearTimeout(end);
    },
    [],
  );
  return { fresh, renew };
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

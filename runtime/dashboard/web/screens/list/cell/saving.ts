import { useRef, useState } from "react";
import type { Attempt } from "../../../api/client/writes.js";
import type { Version } from "../../../api/records/records.js";
import type { Saving } from "../rows/rows.js";
import type { CellPlace } from "./cells-of.js";

/** The text of a cell that the server refused, with the reason. */
export interface Draft {
  readonly typed: string;
  readonly problem: string;
  /** The value and the ETag of the version that the next attempt replaces. */
  readonly before: unknown;
  readonly etag: string;
  readonly attempt: Attempt | null;
}

export interface CellWrites {
  readonly saving: Saving;
  /**
   * Writes a cell after earlier writes of its row. `write` receives the ETag of the last one, or null if there was
   * none.
   */
  readonly run: (
    place: CellPlace,
    write: (etag: string | null) => Promise<Version>,
  ) => Promise<Version>;
  /** The fields of a row that are being written. */
  readonly fieldsOf: (id: string) => ReadonlySet<string>;
}

/**
 * Queues the cell writes of a list. Writes to one row run one after another, because each needs the ETag of the
 * previous one.
 */
export function useCellWrites(): CellWrites {
  const [saving, setSaving] = useState<Saving>(new Map());
  const rows = useRef(new Map<string, Promise<Version | null>>());
  const fields = useRef(new Map<string, Set<string>>());
  const mark = ({ id, field }: CellPlace, change: "add" | "delete") => {
    const names = fields.current.get(id) ?? new Set();
    names[change](field);
    if (names.size === 0) fields.current.delete(id);
    else fields.current.set(id, names);
    setSaving(new Map([...fields.current].map(([row, all]) => [row, new Set(all)])));
  };
  return {
    saving,
    fieldsOf: (id) => fields.current.get(id) ?? new Set(),
    run: async (place, write) => {
      mark(place, "add");
      const before = rows.current.get(place.id) ?? Promise.resolve(null);
      const written = before.then((version) => write(version?.etag ?? null));
      const settled = written.catch(() => before);
      rows.current.set(place.id, settled);
      try {
        return await written;
      } finally {
        mark(place, "delete");
        if (rows.current.get(place.id) === settled) rows.current.delete(place.id);
      }
    },
  };
}

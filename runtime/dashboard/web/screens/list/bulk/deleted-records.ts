import type { BatchItem, ProgressEvent } from "../../../api/records/batches.js";
import type { Chosen } from "../rows/selection.js";

/** The records that several deletions have moved to the trash. */
export interface DeletionLog {
  /** The operation that deletes a record, unless it has changed since it was selected. */
  item(row: Chosen): BatchItem;
  /** Adds what a response reports as deleted. */
  note(event: ProgressEvent): void;
  readonly ids: readonly string[];
}

export function newDeletionLog(resource: string): DeletionLog {
  const ids: string[] = [];
  const pending = new Map<BatchItem, string>();
  return {
    ids,
    item: ({ id, title, etag }) => {
      const ifMatch = etag === null ? {} : { ifMatch: etag };
      const item = { operation: { delete: resource, id, ...ifMatch }, title };
      pending.set(item, id);
      return item;
    },
    note: (event) => {
      if (event.kind !== "answered") return;
      const refused = new Set(event.errors.map(({ index }) => index));
      for (const [at, item] of event.items.entries()) {
        const id = pending.get(item);
        pending.delete(item);
        if (id !== undefined && !refused.has(at)) ids.push(id);
      }
    },
  };
}

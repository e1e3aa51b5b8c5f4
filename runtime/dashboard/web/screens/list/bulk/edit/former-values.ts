import type { Resource } from "../../../../api/client/types.js";
import type { BatchItem, Patiently, ProgressEvent } from "../../../../api/records/batches.js";
import { type Edited, formerValues, readFormer } from "../../../../api/records/undo.js";
import type { Chosen } from "../../rows/selection.js";

/** Maximum number of records whose previous values are stored for an undo. */
export const mostUndone = 10_000;

type Values = Readonly<Record<string, unknown>>;

/** What is needed to undo a bulk edit. */
export interface EditLog {
  /** Returns the operations that set these values, after reading the previous ones. */
  items(
    rows: readonly Chosen[],
    values: Values,
    patiently: Patiently,
  ): Promise<readonly BatchItem[]>;
  /** Adds what a response reports as written. */
  note(event: ProgressEvent): void;
  readonly edited: readonly Edited[];
}

/** The operation that sets a record's values, unless it has changed since it was selected. */
export function editOf(resource: string, { id, title, etag }: Chosen, values: Values): BatchItem {
  const ifMatch = etag === null ? {} : { ifMatch: etag };
  return { operation: { update: resource, id, values, ...ifMatch }, title };
}

export function newEditLog({ name: resource }: Resource): EditLog {
  const edited: Edited[] = [];
  const former = new Map<BatchItem, Omit<Edited, "etag">>();
  return {
    edited,
    items: async (rows, values, patiently) => {
      const before = await patiently(() => readFormer(resource, rows, Object.keys(values)));
      return rows.map(({ id, title, etag }) => {
        const item = editOf(resource, { id, title, etag }, values);
        const record = before?.get(id);
        if (record !== undefined) {
          former.set(item, { resource, id, values: formerValues(record, values) });
        }
        return item;
      });
    },
    note: (event) => {
      if (event.kind !== "answered") return;
      for (const [at, item] of event.items.entries()) {
        const known = former.get(item);
        const etag = event.etags[at] ?? null;
        former.delete(item);
        if (known !== undefined && etag !== null) edited.push({ ...known, etag });
      }
    },
  };
}

import { useEffect, useRef, useState } from "react";
import { call } from "../../api/client/client.js";
import type { Row } from "../../api/client/types.js";
import {
  type BatchItem,
  batchSize,
  begun,
  type Patiently,
  type Progress,
  progressed,
  type Run,
  runBatches,
} from "../../api/records/batches.js";
import { titleOf } from "../../api/records/descriptors.js";
import { namingParams } from "../../api/records/naming.js";
import type { LinkHere } from "../dependants.js";

export interface HandOver {
  readonly progress: Progress | null;
  readonly start: (to: string) => void;
  readonly stop: () => void;
  readonly again: () => void;
}

export interface HandOverOptions {
  readonly total: number;
  /** `progress` is the state before the end: `stopping` if it was stopped, `held` after an error. */
  readonly onEnded: (progress: Progress) => void;
}

/**
 * Moves all links from one record or account to another; after a stop it continues with the remaining ones. The links
 * of the target record itself do not move, because it would then link to itself; `total` is without them.
 */
export function useHandOver(
  from: string,
  links: readonly LinkHere[],
  { total, onEnded }: HandOverOptions,
): HandOver {
  const [progress, setProgress] = useState<Progress | null>(null);
  const run = useRef<Run | null>(null);
  useEffect(() => () => run.current?.stop(), []);
  return {
    progress,
    start: (to) => {
      let now = begun(total);
      setProgress(now);
      run.current = runBatches(
        (patiently) => itemsOf(links, { from, to }, patiently),
        (event) => {
          if (event.kind !== "ended") now = progressed(now, event);
          setProgress(event.kind === "ended" ? progressed(now, event) : now);
        },
      );
      void run.current.done.then(() => onEnded(now));
    },
    stop: () => run.current?.stop(),
    again: () => run.current?.again(),
  };
}

async function* itemsOf(
  links: readonly LinkHere[],
  { from, to }: { readonly from: string; readonly to: string },
  patiently: Patiently,
): AsyncGenerator<readonly BatchItem[]> {
  for (const { resource, field } of links) {
    const value = field.links === undefined ? to : { remove: [from], add: [to] };
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = new URLSearchParams({
        ...Object.fromEntries(namingParams(resource, [])),
        [`filter[${field.name}]`]: from,
        cursor,
        perPage: String(batchSize),
      }).toString();
      const page = await patiently(() =>
        call<{ data: readonly Row[]; meta: { next: string | null } }>(
          "GET",
          `/${resource.name}?${query}`,
        ),
      );
      if (page === null) return;
      const isOwn = field.resource === resource.name;
      const rows = isOwn ? page.data.filter(({ id }) => id !== to) : page.data;
      if (rows.length > 0) {
        yield rows.map((row) => ({
          operation: { update: resource.name, id: row.id, values: { [field.name]: value } },
          title: titleOf(resource, row),
        }));
      }
      cursor = page.meta.next;
    }
  }
}

import { call } from "../../../api/client/client.js";
import type { Page, Resource, Row } from "../../../api/client/types.js";
import { batchSize, type Patiently } from "../../../api/records/batches.js";
import { hasTime, titleOf } from "../../../api/records/descriptors.js";
import { namingParams } from "../../../api/records/naming.js";
import { foundIds, isByWords } from "../../../api/records/words.js";
import { type ListAddress, printParams } from "../../../browser/address/list-address.js";
import { conditionParams } from "../../../kinds/query/list-parameters.js";
import type { Chosen, Selection } from "../rows/selection.js";

/**
 * The conditions for records that match now and, if the resource has `createdAt`, already existed at the given time.
 */
export function conditionAt(resource: Resource, listing: ListAddress, at: string): string {
  const key = "filter[createdAt][lte]";
  const params = conditionParams(resource, listing);
  if (!hasTime(resource, "createdAt")) return printParams(params);
  const bound = params.find(([name]) => name === key)?.[1];
  const earlier = bound !== undefined && new Date(bound) < new Date(at) ? bound : at;
  return printParams([...params.filter(([name]) => name !== key), [key, earlier]]);
}

/** Requests the current number of selected records. */
export async function countSelected(
  resource: Resource,
  selection: Selection,
  signal: AbortSignal,
): Promise<number> {
  if (selection.kind !== "all") return selection.kind === "some" ? selection.chosen.length : 0;
  const query = `${selection.condition}&perPage=1&fields=id`;
  const { meta } = await call<Page<Row>>("GET", `/${resource.name}?${query}`, {
    signal,
  });
  return meta.total;
}

/** Yields the selected records in pages of 100. */
export async function* chunksOf(
  resource: Resource,
  selection: Selection,
  patiently: Patiently,
): AsyncGenerator<readonly Chosen[]> {
  if (selection.kind === "some") {
    for (let at = 0; at < selection.chosen.length; at += batchSize) {
      yield selection.chosen.slice(at, at + batchSize);
    }
  }
  if (selection.kind !== "all") return;
  if (isByWords(selection.condition)) {
    yield* chunksOfIds(resource, selection.condition, patiently);
    return;
  }
  let cursor: string | null = "";
  while (cursor !== null) {
    const query: string = printParams([
      ["cursor", cursor],
      ["perPage", String(batchSize)],
      ...namingParams(resource),
      ["etags", "true"],
    ]);
    const path = `/${resource.name}?${selection.condition}&${query}`;
    const page: CursorPage | null = await patiently(() => call<CursorPage>("GET", path));
    if (page === null) return;
    if (page.data.length > 0) yield chosenOf(resource, page);
    cursor = page.meta.next;
  }
}

/** Yields the records of a full-text search, reading all ids first because such a search has no cursor. */
async function* chunksOfIds(
  resource: Resource,
  condition: string,
  patiently: Patiently,
): AsyncGenerator<readonly Chosen[]> {
  const ids = (await patiently(() => foundIds(resource.name, condition))) ?? [];
  for (let at = 0; at < ids.length; at += batchSize) {
    const query = printParams([
      ["filter[id][in]", ids.slice(at, at + batchSize).join(",")],
      ["cursor", ""],
      ["perPage", String(batchSize)],
      ...namingParams(resource),
      ["etags", "true"],
    ]);
    const path = `/${resource.name}?${query}`;
    const page = await patiently(() => call<CursorPage>("GET", path));
    if (page === null) return;
    if (page.data.length > 0) yield chosenOf(resource, page);
  }
}

function chosenOf(resource: Resource, { data, meta }: CursorPage): readonly Chosen[] {
  return data.map((row, at) => ({
    id: row.id,
    title: titleOf(resource, row),
    etag: meta.etags?.[at] ?? null,
  }));
}

export interface CursorPage {
  readonly data: readonly Row[];
  readonly meta: { readonly next: string | null; readonly etags?: readonly string[] };
}

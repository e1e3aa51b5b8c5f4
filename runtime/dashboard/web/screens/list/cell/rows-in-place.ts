import { hashKey, useQueryClient } from "@tanstack/react-query";
import { useSession } from "../../../api/account/session.js";
import { call } from "../../../api/client/client.js";
import type { Page, Resource, Row } from "../../../api/client/types.js";
import { listQuery } from "../../../api/records/queries.js";
import { forgetLists } from "../../../api/records/records.js";
import { printParams } from "../../../browser/address/list-address.js";
import { shownParams } from "../../../kinds/query/list-parameters.js";
import { type Columns, fieldsOf } from "../rows/columns.js";

/** A row as the list displays it, with its ETag. */
export interface ReadRow {
  readonly row: Row;
  readonly etag: string;
}

/**
 * Reads up to a hundred rows of a list again, in their places. Reloading the list would move rows while the user
 * changes the values it is sorted or filtered by. Other lists are marked stale; this one keeps its rows until it is
 * left.
 */
export function useRowsInPlace(
  resource: Resource,
  columns: Columns,
  query: string,
): (ids: readonly string[]) => Promise<readonly ReadRow[]> {
  const { user, resources } = useSession();
  const client = useQueryClient();
  const { queryKey } = listQuery(user.id, resource.name, query);
  return async (ids) => {
    forgetLists(client, { account: user.id, resources, resource }, hashKey(queryKey));
    const params = printParams([
      ["filter[id][in]", ids.join(",")],
      ["perPage", String(ids.length)],
      ...shownParams(resource, resources, fieldsOf(columns)),
      ["etags", "true"],
    ]);
    const answer = await call<Page<Row>>("GET", `/${resource.name}?${params}`);
    const found = answer.data.map((row, at) => ({ row, etag: answer.meta.etags?.[at] ?? "*" }));
    client.setQueryData(queryKey, (page) => (page === undefined ? page : withRows(page, found)));
    return found;
  };
}

/** Updates values of a displayed row, before or without a request, and the row's ETag if it is known. */
export function usePutRow(
  resource: Resource,
  query: string,
): (id: string, valuesOf: (row: Row) => object, etag?: string) => void {
  const { user } = useSession();
  const client = useQueryClient();
  const { queryKey } = listQuery(user.id, resource.name, query);
  return (id, valuesOf, etag) =>
    client.setQueryData(queryKey, (page) => {
      const at = page?.data.findIndex((row) => row.id === id) ?? -1;
      const row = page?.data[at];
      if (page === undefined || row === undefined) return page;
      const known = etag ?? page.meta.etags?.[at] ?? "*";
      return withRows(page, [{ row: { ...row, ...valuesOf(row) }, etag: known }]);
    });
}

function withRows({ data, meta }: Page<Row>, found: readonly ReadRow[]): Page<Row> {
  const readOf = (id: string | undefined) => found.find(({ row }) => row.id === id);
  const { etags, highlights } = meta;
  // The highlights of a changed row are removed, because they belong to its former texts.
  const kept = Object.entries(highlights ?? {}).filter(([id]) => readOf(id) === undefined);
  return {
    data: data.map((row) => readOf(row.id)?.row ?? row),
    meta: {
      ...meta,
      ...(etags !== undefined && {
        etags: etags.map((etag, at) => readOf(data[at]?.id)?.etag ?? etag),
      }),
      ...(highlights !== undefined && { highlights: Object.fromEntries(kept) }),
    },
  };
}

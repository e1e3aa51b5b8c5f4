import { queryOptions } from "@tanstack/react-query";
import { call, callWhole } from "../client/client.js";
import type { Resource, Row } from "../client/types.js";
import type { Fault } from "./batches.js";
import { recordAddress, type Version, versionOf } from "./records.js";

export interface DeletedRow extends Row {
  readonly deletedAt: string;
  /** Null if unknown, or hidden from the caller. */
  readonly deletedBy?: { readonly id: string; readonly name: string } | null;
}

interface DeletedPage {
  readonly data: readonly DeletedRow[];
  readonly meta: { readonly total: number };
}

/** The number of records on a page of the trash, which is the number that one batch may change. */
export const trashPage = 50;

/** Loads a page of deleted records, the most recently deleted first. */
export function trashQuery(account: string, { name }: Resource, page: number) {
  const query = new URLSearchParams({
    trash: "only",
    page: String(page),
    perPage: String(trashPage),
  });
  return queryOptions({
    queryKey: [account, "resource", name, "list", `${query}`],
    queryFn: ({ signal }) => call<DeletedPage>("GET", `/${name}?${query}`, { signal }),
    staleTime: 0,
  });
}

/** Restores a record from the trash, with everything that was deleted with it. */
export async function restoreRecord(
  { resource, id }: { readonly resource: string; readonly id: string },
  idempotencyKey: string,
): Promise<Version> {
  const path = `${recordAddress(resource, id)}/_restore`;
  return versionOf(await callWhole<Row>("POST", path, { idempotencyKey }));
}

/** An action on selected records in the trash. */
export interface TrashAction {
  readonly kind: "restore" | "remove";
  readonly rows: readonly DeletedRow[];
}

/** Restores records, or deletes them permanently, each independently; returns the refusals. */
export async function runTrashAction(
  resource: string,
  { kind, rows }: TrashAction,
  idempotencyKey: string,
): Promise<readonly Fault[]> {
  const operations = rows.map(({ id }) =>
    kind === "restore" ? { restore: resource, id } : { delete: resource, id, trash: "skip" },
  );
  const body = { atomic: false, operations };
  const { errors } = await call<{ readonly errors: readonly Fault[] }>("POST", "/_service/batch", {
    body,
    idempotencyKey,
  });
  return errors;
}

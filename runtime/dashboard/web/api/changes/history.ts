import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call, callWhole } from "../client/client.js";
import type { Row } from "../client/types.js";
import { recordAddress, type Version } from "../records/records.js";

/** The changes of a record in one transaction. */
export interface HistoryEntry {
  readonly id: string;
  readonly at: string;
  readonly op: "create" | "update" | "delete" | "trash" | "restore";
  /** Null if unknown, or hidden from the caller. */
  readonly by: { readonly id: string; readonly name: string } | null;
  /** The name of the service token used. */
  readonly token?: string;
  /** The name of the job that wrote the change. */
  readonly job?: string;
  readonly changes: readonly FieldChange[];
}

/** Whether the record no longer existed afterwards. */
export function isDeletion({ op }: Pick<HistoryEntry, "op">): boolean {
  return op === "delete" || op === "trash";
}

export interface FieldChange {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
  /** Set if a text is shortened; the single entry contains the complete text. */
  readonly cut?: true;
}

interface HistoryPage {
  readonly data: readonly HistoryEntry[];
  readonly meta: { readonly next: string | null };
}

/** The key of a record. */
export interface RecordName {
  readonly resource: string;
  readonly id: string;
}

/** The key of all queries of a record's history. */
export function historyKey(account: string, { resource, id }: RecordName): readonly string[] {
  return [account, "resource", resource, "history", id];
}

function historyAddress({ resource, id }: RecordName): string {
  return `${recordAddress(resource, id)}/_history`;
}

/** Loads a record's history, newest first; also that of a deleted record. */
export function historyQuery(account: string, record: RecordName) {
  return infiniteQueryOptions({
    queryKey: [...historyKey(account, record), "all"],
    queryFn: ({ signal, pageParam }) => {
      const query = new URLSearchParams({ cursor: pageParam });
      return call<HistoryPage>("GET", `${historyAddress(record)}?${query}`, { signal });
    },
    initialPageParam: "",
    getNextPageParam: ({ meta }) => meta.next ?? undefined,
    staleTime: 0,
  });
}

/** Loads one entry with complete texts; it never changes. */
export function entryQuery(account: string, record: RecordName, entry: string) {
  return queryOptions({
    queryKey: [...historyKey(account, record), "entry", entry],
    queryFn: ({ signal }) =>
      call<HistoryEntry>("GET", `${historyAddress(record)}/${entry}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Loads the last entry; null if there is none since the history began. */
export function lastEntryQuery(account: string, record: RecordName) {
  return queryOptions({
    queryKey: [...historyKey(account, record), "last"],
    queryFn: ({ signal }) => lastEntry(record, signal),
    staleTime: 0,
  });
}

export async function lastEntry(
  record: RecordName,
  signal?: AbortSignal,
): Promise<HistoryEntry | null> {
  const path = `${historyAddress(record)}?perPage=1`;
  return (await call<HistoryPage>("GET", path, { signal })).data[0] ?? null;
}

/** The result of a revert: the new version and the skipped fields. */
export interface Reverted extends Version {
  /** Fields that no longer exist. */
  readonly skipped: readonly string[];
}

export interface RevertOptions {
  /** The tag of the version to replace; omitted if the record was deleted. */
  readonly ifMatch?: string;
  readonly idempotencyKey: string;
}

/** Writes the values right after an entry; restores a deleted record. */
export async function revertTo(
  { resource, id }: RecordName,
  entry: string,
  options: RevertOptions,
): Promise<Reverted> {
  const path = `${recordAddress(resource, id)}/_revert`;
  const { body, etag } = await callWhole<{ record: Row; skipped: readonly string[] }>(
    "POST",
    path,
    { body: { to: entry }, ...options },
  );
  return { ...body, etag: etag ?? "*" };
}

import { call, callWhole } from "../client/client.js";
import type { Row } from "../client/types.js";
import { batchSize } from "./batches.js";
import { recordAddress, type Version, versionOf } from "./records.js";

/** The response to a write: the record, and its new tag. */
export interface Written {
  readonly resource: string;
  readonly id: string;
  readonly etag: string;
}

/** Returns the values that a record had in the fields of a body. */
export function formerValues(
  record: Row,
  body: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.keys(body).map((name) => [name, record[name] ?? null]));
}

/**
 * Loads the values of up to a hundred records in these fields before a write, by id. A write to a record that changed
 * after its tag was read is refused later.
 */
export async function readFormer(
  resource: string,
  records: readonly { readonly id: string }[],
  fields: readonly string[],
): Promise<ReadonlyMap<string, Row>> {
  const where = { id: { in: records.map(({ id }) => id) } };
  const body = { where, fields, cursor: "", perPage: records.length };
  const { data } = await call<{ readonly data: readonly Row[] }>("POST", `/${resource}/_query`, {
    body,
  });
  return new Map(data.map((row) => [row.id, row]));
}

/** Restores previous values; fails with 412 if the record has been written since. */
export async function undoEdit(
  { resource, id, etag }: Written,
  values: Readonly<Record<string, unknown>>,
  idempotencyKey: string,
): Promise<Version> {
  const path = recordAddress(resource, id);
  return versionOf(
    await callWhole<Row>("PATCH", path, { body: values, ifMatch: etag, idempotencyKey }),
  );
}

/** Deletes a new record; fails with 412 if it has been written since. */
export async function undoCreation(
  { resource, id, etag }: Written,
  idempotencyKey: string,
): Promise<void> {
  await call<undefined>("DELETE", recordAddress(resource, id), {
    ifMatch: etag,
    idempotencyKey,
  });
}

/** A write to one of several records, with the previous values. */
export interface Edited extends Written {
  readonly values: Readonly<Record<string, unknown>>;
}

/** Undoes the writes of several records; see `inBatches`. */
export function undoEdits(edits: readonly Edited[]): (key: string) => Promise<number> {
  return inBatches(
    edits.map(({ resource, id, etag, values }) => ({
      update: resource,
      id,
      values,
      ifMatch: etag,
    })),
  );
}

/** Restores several records of a resource from the trash; see `inBatches`. */
export function undoDeletions(
  resource: string,
  ids: readonly string[],
): (key: string) => Promise<number> {
  return inBatches(ids.map((id) => ({ restore: resource, id })));
}

/**
 * Writes independent operations, a hundred per request; returns the number of those that were not refused. If it is
 * called again after a failure, it continues.
 */
function inBatches(all: readonly object[]): (key: string) => Promise<number> {
  let done = 0;
  let undone = 0;
  return async (key) => {
    while (done < all.length) {
      const operations = all.slice(done, done + batchSize);
      const { errors } = await call<{ readonly errors: readonly unknown[] }>(
        "POST",
        "/_service/batch",
        { body: { atomic: false, operations }, idempotencyKey: `${key}${done}` },
      );
      done += operations.length;
      undone += operations.length - errors.length;
    }
    return undone;
  };
}

/** Undoes all writes of one batch, or none. */
export async function undoBatch(operations: readonly object[], key: string): Promise<void> {
  await call<unknown>("POST", "/_service/batch", { body: { operations }, idempotencyKey: key });
}

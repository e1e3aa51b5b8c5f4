import type { Problem } from "../../runtime/values/problem.js";
import type { Descriptor, FieldDescriptor } from "../descriptor/descriptor.js";
import { problemOf } from "../descriptor/source.js";
import type { InRow } from "../kind/column/row.js";

/**
 * Returns problems with resources that exceed PostgreSQL's limits: records wider than its rows, or too many indexes.
 */
export function limitProblems(descriptors: readonly Descriptor[]): readonly Problem[] {
  return descriptors.flatMap(({ fields, source }) => {
    const messages = [...rowTooWide(fields), ...tooManyIndexes(fields)];
    const hint = "split the resource into several that link to each other";
    return messages.map((message) =>
      problemOf(source, { path: ["fields"], at: "key", message, hint }),
    );
  });
}

/** `MaxHeapTupleSize` for PostgreSQL's pages of 8 kB. */
const maxRowBytes = 8160;

/** `SizeofHeapTupleHeader`, which is followed by one bit per column. */
const headerBytes = 23;

const id: InRow = { bytes: 16, alignment: 1 };
const time: InRow = { bytes: 8, alignment: 8 };

function rowTooWide(fields: readonly FieldDescriptor[]): string[] {
  const values = fields
    .filter(({ options }) => options.computed === undefined)
    .flatMap(({ kind, options }) => kind?.inRow(options) ?? []);
  const columns = [id, ...values, time, time];
  let bytes = alignUp(headerBytes + Math.ceil(columns.length / 8), 8);
  for (const { bytes: own, alignment } of columns) bytes = alignUp(bytes, alignment) + own;
  if (bytes <= maxRowBytes) return [];
  return [
    `a record with all ${fields.length} fields filled may need ${bytes} bytes in its row, but PostgreSQL has room for ${maxRowBytes}`,
  ];
}

function alignUp(bytes: number, alignment: number): number {
  return Math.ceil(bytes / alignment) * alignment;
}

/**
 * Maximum number of indexed fields. Every statement on a table locks all its indexes, and by default PostgreSQL has
 * room for 6,400 locks of all connections (`max_locks_per_transaction` × `max_connections`, 64 × 100).
 */
const maxIndexedFields = 150;

function tooManyIndexes(fields: readonly FieldDescriptor[]): string[] {
  const indexed = fields.filter(({ kind, options }) => {
    const hasIndex = kind !== null && kind.index !== null;
    return hasIndex || options.unique === true;
  });
  if (indexed.length <= maxIndexedFields) return [];
  return [
    `a resource has at most ${maxIndexedFields} fields that are unique, links, images or files, and this one has ${indexed.length}`,
  ];
}

import { hashKey, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useSession } from "../../../api/account/session.js";
import { callWhole } from "../../../api/client/client.js";
import { isStatus, refusedOf } from "../../../api/client/errors.js";
import type { Field, Resource, Row } from "../../../api/client/types.js";
import { type Attempt, useWrite } from "../../../api/client/writes.js";
import { linked, titleOf } from "../../../api/records/descriptors.js";
import { listQuery } from "../../../api/records/queries.js";
import { searchedRecord } from "../../../api/records/record-search.js";
import { forgetLists, recordAddress, versionOf } from "../../../api/records/records.js";
import { undoEdit } from "../../../api/records/undo.js";
import { kindOf } from "../../../kinds/kinds.js";
import { useToast } from "../../../parts/overlay/toast.js";
import { enCell } from "../../../text/en/bulk.js";
import { en } from "../../../text/en/en.js";
import { enRecord } from "../../../text/en/record.js";
import { useUndo } from "../../../undo/use-undo.js";
import type { Columns } from "../rows/columns.js";
import { usePutRow, useRowsInPlace } from "./rows-in-place.js";
import type { CellWrites, Draft } from "./saving.js";

const text = enCell;

interface Input {
  readonly value: unknown;
  /** The same value based on another version is another write. */
  readonly etag: string;
  readonly typed: string;
}

export interface CellSaveOptions {
  readonly resource: Resource;
  readonly columns: Columns;
  /** The parameters of the list. */
  readonly query: string;
  readonly field: Field;
  readonly row: Row;
  readonly etag: string;
  readonly draft: Draft | null;
  readonly writes: CellWrites;
  readonly onRefused: (draft: Draft) => boolean;
  /** The complete value when the editor was opened. */
  readonly before: unknown;
}

/**
 * Writes one value of a row unless the row has changed in the meantime. The cell shows the value at once, marked as
 * unsaved until the server responds. If the write is refused, the cell shows the former value and the editor reopens
 * with the reason.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one write, and what follows from its answer
export function useCellSave(options: CellSaveOptions): (value: unknown, typed: string) => void {
  const { resource, columns, query, field, row, before, etag, draft, writes, onRefused } = options;
  const { user, resources } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const offerUndo = useUndo();
  const putRow = usePutRow(resource, query);
  const readRows = useRowsInPlace(resource, columns, query);
  const attempt = useRef<Attempt | null>(draft?.attempt ?? null);
  const place = { id: row.id, field: field.name };
  const title = titleOf(resource, row);
  const { link } = field;
  const former = {
    [field.name]: row[field.name],
    ...(link === undefined ? {} : { [link]: row[link] }),
  };
  // If the request fails, the displayed row stays.
  const readRow = async () => (await readRows([row.id]).catch(() => []))[0] ?? null;
  const refuse = (typed: string, problem: string, now = { before, etag }) => {
    const next = { typed, problem, ...now, attempt: attempt.current };
    if (!onRefused(next)) toast(text.failed(title, problem));
  };
  const write = useWrite({
    run: ({ value }: Input, key) =>
      writes.run(place, async (latest) => {
        const path = recordAddress(resource.name, row.id);
        const body = { [field.name]: value };
        const ifMatch = latest ?? etag;
        const answer = await callWhole<Row>("PATCH", path, { body, ifMatch, idempotencyKey: key });
        return versionOf(answer);
      }),
    attempt: attempt.current,
    onAttempt: (next) => {
      attempt.current = next;
    },
    onDone: (written) => {
      const { record } = written;
      const others = writes.fieldsOf(row.id);
      const isRead = (name: string) => name in record && !others.has(name);
      putRow(
        row.id,
        (shown) =>
          Object.fromEntries(
            Object.keys(shown).map((name) => [name, (isRead(name) ? record : shown)[name]]),
          ),
        written.etag,
      );
      const { queryKey } = listQuery(user.id, resource.name, query);
      forgetLists(client, { account: user.id, resources, resource }, hashKey(queryKey));
      const saved = { resource: resource.name, id: row.id, etag: written.etag };
      const named = titleOf(resource, { ...row, [field.name]: record[field.name] });
      offerUndo(enRecord.saved(named), {
        title,
        run: (key) => undoEdit(saved, { [field.name]: before ?? null }, key),
        onUndone: () => void readRow(),
      });
    },
    onRefused: async (error, { typed }) => {
      putRow(row.id, () => former);
      if (isStatus(error, 404)) return refuse(typed, text.gone);
      if (!isStatus(error, 412)) {
        const { fields, general } = refusedOf(error, [field.name]);
        return refuse(typed, fields[field.name] ?? general ?? en.errors.tooMany);
      }
      const now = await readRow();
      if (now === null) return refuse(typed, text.gone);
      const met = { before: now.row[field.name], etag: now.etag };
      refuse(typed, text.met(wordsOf(now.row)), met);
    },
  });
  function wordsOf(now: Row): string {
    const record = linked(field, now);
    const target = resources.find(({ name }) => name === field.resource);
    if (record !== null) return titleOf(target, record);
    return kindOf(field).form.typed(now[field.name], field);
  }
  return (value, typed) => {
    const chosen =
      link === undefined
        ? {}
        : { [link]: searchedRecord(client, [user.id, field.resource ?? ""], value) };
    putRow(row.id, () => ({ [field.name]: value, ...chosen }));
    write.send({ value, typed, etag });
  };
}

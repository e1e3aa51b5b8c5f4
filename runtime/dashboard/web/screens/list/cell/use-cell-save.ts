import { useEffect, useRef, useState } from "react";
import { useSession } from "../../../api/account/session.js";
import { callWhole } from "../../../api/client/client.js";
import { isStatus, refusedOf } from "../../../api/client/errors.js";
import type { Field, Resource, Row } from "../../../api/client/types.js";
import { useWrite } from "../../../api/client/writes.js";
import { linked, titleOf } from "../../../api/records/descriptors.js";
import { recordAddress, versionOf } from "../../../api/records/records.js";
import { undoEdit } from "../../../api/records/undo.js";
import { kindOf } from "../../../kinds/kinds.js";
import { useToast } from "../../../parts/overlay/toast.js";
import { enCell } from "../../../text/en/bulk.js";
import { en } from "../../../text/en/en.js";
import { enRecord } from "../../../text/en/record.js";
import { useUndo } from "../../../undo/use-undo.js";
import type { ReadRow } from "./rows-in-place.js";

const text = enCell;

export interface CellSaveOptions {
  readonly resource: Resource;
  readonly field: Field;
  /** The row when the editor was opened; `before` is the complete value. */
  readonly row: Row;
  readonly before: unknown;
  readonly etag: string;
  readonly readRows: (ids: readonly string[]) => Promise<readonly ReadRow[]>;
}

/** Writes one value of a row, provided that the row has not been written meanwhile. */
export function useCellSave({ resource, field, row, before, etag, readRows }: CellSaveOptions) {
  const { resources } = useSession();
  const toast = useToast();
  const offerUndo = useUndo();
  const [problem, setProblem] = useState<string | undefined>();
  const base = useRef(etag);
  const then = useRef(() => {});
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const title = titleOf(resource, row);
  // Without an answer the displayed row stays; the write is done all the same.
  const readRow = async () => (await readRows([row.id]).catch(() => []))[0] ?? null;
  const refuse = (message: string) => {
    // Also reported if the user has moved on to another cell.
    if (isOpen.current) setProblem(message);
    else toast(text.failed(title, message));
  };
  const write = useWrite({
    run: async ({ value, ifMatch }: { readonly value: unknown; readonly ifMatch: string }, key) => {
      const body = { [field.name]: value };
      const path = recordAddress(resource.name, row.id);
      return versionOf(await callWhole<Row>("PATCH", path, { body, ifMatch, idempotencyKey: key }));
    },
    onDone: async (written) => {
      await readRow();
      const { record } = written;
      const place = { resource: resource.name, id: row.id, etag: written.etag };
      const named = titleOf(resource, { ...row, [field.name]: record[field.name] });
      offerUndo(enRecord.saved(named), {
        title,
        run: (key) => undoEdit(place, { [field.name]: before ?? null }, key),
        onUndone: () => void readRow(),
      });
      if (isOpen.current) then.current();
    },
    onRefused: async (error) => {
      if (isStatus(error, 404)) return refuse(text.gone);
      if (!isStatus(error, 412)) {
        const { fields, general } = refusedOf(error, [field.name]);
        return refuse(fields[field.name] ?? general ?? en.errors.tooMany);
      }
      const now = await readRow();
      if (now === null) return refuse(text.gone);
      base.current = now.etag;
      refuse(text.met(wordsOf(now.row)));
    },
  });
  function wordsOf(now: Row): string {
    const record = linked(field, now);
    const target = resources.find(({ name }) => name === field.resource);
    if (record !== null) return titleOf(target, record);
    return kindOf(field).form.typed(now[field.name], field);
  }
  return {
    isBusy: write.isBusy,
    problem,
    setProblem,
    send: (value: unknown, next: () => void) => {
      then.current = next;
      setProblem(undefined);
      write.send({ value, ifMatch: base.current });
    },
  };
}

import { useRef } from "react";
import { callWhole } from "../../../api/client/client.js";
import { isStatus } from "../../../api/client/errors.js";
import type { Field, Resource, Row } from "../../../api/client/types.js";
import { type Attempt, useWrite } from "../../../api/client/writes.js";
import {
  readRecord,
  recordAddress,
  type Version,
  versionOf,
} from "../../../api/records/records.js";
import type { Typed } from "../../../form/state.js";
import type { Line } from "./lines/state.js";
import { lineProblems, type WrittenBatch, writeBatch } from "./lines/write.js";

/** One save: its body, and the state of the form at that time. */
export interface Saving {
  /** The body of a new record, or the changes of an existing one. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly fields: readonly Field[];
  readonly mine: Typed;
  /** The version to change; null creates a record. */
  readonly base: Version | null;
  /** The records that are written in the same batch. */
  readonly lines: readonly Line[];
  readonly continues: boolean;
}

export interface SaveOptions {
  readonly resource: Resource;
  readonly attempt: Attempt | null;
  readonly onAttempt: (attempt: Attempt | null) => void;
  readonly onSaved: (written: WrittenBatch, saving: Saving) => void;
  /** Called with the stored version if another account saved the record first. */
  readonly onMet: (theirs: Version, saving: Saving) => void;
  readonly onGone: () => void;
  readonly onRefused: (error: unknown, saving: Saving) => void;
}

interface Sent {
  readonly body: Saving["body"];
  readonly etag: string | null;
  readonly lines: readonly Line[];
}

/** Saves a record, which counts as saved only after the server's response. */
export function useSave(options: SaveOptions) {
  const { resource, attempt, onAttempt, onSaved, onMet, onGone, onRefused } = options;
  const latest = useRef<Saving | null>(null);
  const write = useWrite<Sent, WrittenBatch>({
    attempt,
    onAttempt,
    run: async ({ body, etag, lines }, idempotencyKey) => {
      const base = latest.current?.base ?? null;
      if (lines.length > 0) {
        return writeBatch({ resource, base, body, etag, lines }, idempotencyKey);
      }
      const answer =
        base === null || etag === null
          ? await callWhole<Row>("POST", `/${resource.name}`, { body, idempotencyKey })
          : await callWhole<Row>("PATCH", recordAddress(resource.name, base.record.id), {
              body,
              ifMatch: etag,
              idempotencyKey,
            });
      return { version: versionOf(answer), undoing: [] };
    },
    onDone: (written) => {
      if (latest.current !== null) onSaved(written, latest.current);
    },
    onRefused: async (error) => {
      const saving = latest.current;
      if (saving === null) return;
      const isLine = lineProblems(error, { resource, etag: null, ...saving }) !== null;
      if (saving.base === null || isLine || !isStatus(error, 412)) {
        if (saving.base !== null && !isLine && isStatus(error, 404)) onGone();
        onRefused(error, saving);
        return;
      }
      try {
        onMet(await readRecord(resource.name, saving.base.record.id), saving);
      } catch (other) {
        if (isStatus(other, 404)) onGone();
        onRefused(other, saving);
      }
    },
  });
  return {
    isBusy: write.isBusy,
    send: (saving: Saving) => {
      if (write.isBusy) return;
      latest.current = saving;
      write.send({ body: saving.body, etag: saving.base?.etag ?? null, lines: saving.lines });
    },
  };
}

import type { Answer, Context } from "../../http/index.js";
import type { KeyedAnswer } from "../idempotency/kept-answers.js";
import { keyedRequest } from "../idempotency/key.js";
import { answerOnce, type Replay } from "../idempotency/once.js";
import { accessOf } from "../record/read.js";
import type { Table } from "../table/table.js";
import type { Write, Written } from "./operation.js";
import { runWrite } from "./run.js";
import { inTransaction } from "./ways.js";

/** A write whose request has an idempotency key. */
export interface KeyedWrite {
  readonly key: string;
  /** The body as it was sent. */
  readonly bytes: Uint8Array;
  make(): Write;
  answer(written: Written): KeyedAnswer;
  readonly replay: Replay;
  /** Milliseconds that it waits for a connection, where that is longer than usual. */
  readonly waitMs?: number | undefined;
}

/** Runs the write, or repeats the answer of an earlier request with its key: that comes before all refusals of the write. */
export function writeOnce(
  context: Context,
  table: Table<never>,
  { key, bytes, make, answer, replay, waitMs }: KeyedWrite,
): Promise<Answer> {
  const once = inTransaction((store) =>
    answerOnce(context, accessOf(context, table), keyedRequest(context, key, bytes), {
      work: async (inner, connection) => answer(await store(inner, connection)),
      replay,
      waitMs,
    }),
  );
  return runWrite(context, make, once);
}

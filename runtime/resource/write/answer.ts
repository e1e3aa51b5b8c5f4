import type { Answer, Context } from "../../http/index.js";
import type { KeyedAnswer, Repeated } from "../idempotency/kept-answers.js";
import { once } from "../idempotency/once.js";
import { accessOf, readerOf } from "../record/read.js";
import type { Table } from "../table/table.js";
import type { Write, Written } from "./operation.js";
import { explained, store, storeWithin } from "./run.js";

export interface WriteRequest {
  /** The idempotency key; null if there is none. */
  readonly key: string | null;
  /** The body as sent. */
  readonly bytes: Uint8Array;
  make(): Write;
  /** Decides about the write before its transaction, unless the response is repeated. */
  readonly before?: ((write: Write) => Promise<void>) | undefined;
  answer(written: Written): KeyedAnswer;
  /** Milliseconds that a transaction waits for a connection, if longer than usual. */
  readonly waitMs?: number | undefined;
}

/**
 * Runs the write like `runWrite`; with an idempotency key only once, and a stored response comes
 * before all refusals.
 */
export function answerWrite(
  context: Context,
  table: Table<never>,
  { key, bytes, make, before, answer, waitMs }: WriteRequest,
): Promise<Answer | Repeated> {
  return explained(context, make, async (draft) => {
    const judge = before && (() => before(draft.make()));
    if (key === null) {
      await judge?.();
      return answer(await store(context, draft));
    }
    const keyed = { key, bytes, access: accessOf(context, table), before: judge, waitMs };
    return once(context, keyed, async (inner, connection) => {
      return answer(
        await storeWithin(context, draft, { actor: inner, reader: readerOf(connection) }),
      );
    });
  });
}

import { type Answer, type Context, type Handle, takesQuery } from "../../http/index.js";
import type { Table } from "../table/table.js";
import { isDropped, type KeptAnswer, type Repeated } from "./kept-answers.js";
import { type Recalled, recallRecord } from "./recall.js";
import { showAgain } from "./show.js";

/** The handler of a write that a request with an `Idempotency-Key` may repeat. */
export interface WriteHandle {
  (context: Context): Promise<Answer | Repeated>;
  readonly takesQuery?: true;
}

/** Wraps the handler of a table's write, so that repeated requests get the stored response. */
export function repeatable(table: Table<never>, write: WriteHandle): Handle {
  const handle = async (context: Context) =>
    answerOrReplay(await write(context), {
      show: (json) => showAgain(context, table, json),
      recall: (kept) => recallRecord(context, table, { id: recordIdOf(context, kept), kept }),
    });
  return write.takesQuery === true ? takesQuery(handle) : handle;
}

/** Returns the id in the path, or that of the created record. */
function recordIdOf({ params }: Context, { location }: KeptAnswer): string {
  return params.id ?? decodeURIComponent(location?.split("/").at(-1) ?? "");
}

/** How a stored response is sent again. */
export interface Replay {
  /** Adapts stored JSON to the caller's current read rights, which may have been revoked. */
  show(json: string): Promise<string>;
  /** Recreates dropped JSON from the current records; throws 409 if one no longer exists. */
  recall(kept: KeptAnswer): Promise<Recalled>;
}

const replayed = "idempotency-replayed";

/** Returns the response to a write; for a repeated write, the stored response. */
export async function answerOrReplay(
  answer: Answer | Repeated,
  { show, recall }: Replay,
): Promise<Answer> {
  if (!("kept" in answer)) return answer;
  const { kept } = answer;
  const { status, body, location } = kept;
  const { json, etag } = isDropped(kept) ? await recall(kept) : { json: body, etag: kept.etag };
  const headers = {
    [replayed]: "true",
    ...(location !== null && { location }),
    ...(etag !== null && { etag }),
  };
  return { status, json: json === null ? null : await show(json), headers };
}

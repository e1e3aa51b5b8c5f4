import { Refusal, refuse } from "../../errors/index.js";
import { answerRead, type Context, isAllowed } from "../../http/index.js";
import { visitor } from "../../own-code/index.js";
import { accessOf, findRecord, getRecord, idOrNotFound } from "../record/read.js";
import { tagOf } from "../record/tag.js";
import { withFields } from "../rights/readable.js";
import type { Table } from "../table/table.js";
import type { KeptAnswer } from "./kept-answers.js";

/** The text and tag of a stored answer whose body was dropped. */
export interface Recalled {
  readonly json: string;
  readonly etag: string | null;
}

/**
 * The current record of a stored answer whose body was dropped. If it has changed since, the caller also needs the
 * right to read it, which the right to write does not imply. Otherwise it counts as missing.
 */
export async function recallRecord(
  context: Context,
  table: Table<never>,
  { id, kept }: { readonly id: string; readonly kept: Pick<KeptAnswer, "etag"> },
): Promise<Recalled> {
  const written = kept.etag === null ? null : await findWritten(context, table, id);
  if (written !== null && tagOf(written) === kept.etag) {
    return { json: written.json, etag: kept.etag };
  }
  return (await readNow(context, table, id)) ?? refuse("ANSWER_DROPPED");
}

/** The record as a write returns it; null if there is none. */
function findWritten(context: Context, table: Table<never>, id: string) {
  const view = withFields(table, (context.caller ?? visitor).role);
  return findRecord(accessOf(context, table), { view, account: null }, idOrNotFound(id));
}

/** The record as the caller may read it; null if the caller may not read it, or there is none. */
async function readNow(
  context: Context,
  table: Table<never>,
  id: string,
): Promise<Recalled | null> {
  const { caller } = context;
  if (!isAllowed(caller ?? visitor, table.access.get)) return null;
  const read = { ...context, params: { id }, query: "" };
  try {
    const { json, headers } = await answerRead(getRecord(table)(read), read);
    return json === null ? null : { json, etag: headers?.etag ?? null };
  } catch (error) {
    if (error instanceof Refusal && (error.status === 404 || error.status === 403)) return null;
    throw error;
  }
}

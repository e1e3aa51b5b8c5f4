import { Refusal, refuse } from "../../errors/index.js";
import { answerRead, type Context, isAllowed } from "../../http/index.js";
import { visitor } from "../../own-code/index.js";
import { hasPolicy } from "../own-code/policy.js";
import { appRecord } from "../record/app-record.js";
import { maxPageBytes } from "../record/page-text.js";
import { accessOf, findRecord, getRecord, idOrNotFound } from "../record/read.js";
import { isShownByPolicy } from "../record/shown-by-policy.js";
import { tagOf, versionSql } from "../record/tag.js";
import { accountAmong } from "../rights/account.js";
import { readable, withFields } from "../rights/readable.js";
import { rowsSeen, wholeView } from "../rights/view.js";
import { idColumn, idSqlType } from "../table/column-keys.js";
import type { Table } from "../table/table.js";
import type { KeptAnswer } from "./kept-answers.js";

/** The JSON text and ETag of a stored response whose body was dropped. */
export interface Recalled {
  readonly json: string;
  readonly etag: string | null;
}

/**
 * Reads the current record of a stored response whose body was dropped. A record that has changed since counts as
 * missing unless the caller may read it, which the right to write does not imply.
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

/**
 * Reads the current records of dropped responses to several writes in one statement, by id, as far as the caller may
 * read them. Throws 413 if they exceed the limit of a response.
 */
export async function recallRecords(
  context: Context,
  table: Table<never>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Recalled>> {
  const caller = context.caller ?? visitor;
  if (!isAllowed(caller, table.access.get)) return new Map();
  const view = readable(table, "get", caller.role);
  const values: unknown[] = [ids];
  const account = accountAmong(values, caller.accountId);
  const isJudged = hasPolicy(context, table, "get");
  const whole = isJudged ? wholeView(table).record : "null::text";
  const rows = await accessOf(context, table).query<RecalledRow>(
    `select id, version,
      case when sum(octet_length(json)) over (order by id) <= ${maxPageBytes} then json end as json,
      case when sum(octet_length(whole)) over (order by id) <= ${maxPageBytes} then whole end as whole
    from (
      select ${idColumn(table)}::text as id, ${versionSql(table)} as version, _record._json as json, _record._whole as whole
      from ${table.name}
      cross join lateral (
        select (${view.record})::text as _json, (${whole})::text as _whole offset 0
      ) as _record
      where ${idColumn(table)} = any ($1::${idSqlType(table)}[]) and ${rowsSeen(view, account)}
      offset 0
    ) as _read`,
    values,
  );
  const found = new Map<string, Recalled>();
  for (const { id, json, version, whole } of rows) {
    if (json === null) refuse("TOO_LARGE");
    if (isJudged && whole === null) {
      const record = await readNow(context, table, id);
      if (record !== null) found.set(id, record);
      continue;
    }
    const isShown =
      whole === null || (await isShownByPolicy(context, table, appRecord(context.services, whole)));
    if (isShown) found.set(id, { json, etag: tagOf({ json, version }) });
  }
  return found;
}

interface RecalledRow {
  readonly id: string;
  readonly version: string;
  readonly json: string | null;
  /**
   * The complete record, if a policy needs it; null otherwise, and once earlier complete records have reached the
   * limit.
   */
  readonly whole: string | null;
}

/** Finds the record as returned by a write; null if there is none. */
function findWritten(context: Context, table: Table<never>, id: string) {
  const view = withFields(table, (context.caller ?? visitor).role);
  return findRecord(accessOf(context, table), { view, account: null }, idOrNotFound(table, id));
}

/** Finds the record as the caller may read it; null if there is none, or the caller may not read it. */
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

import { type Access, dependenceOf, type Queryable } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import {
  type Context,
  isTagKnown,
  Parameters,
  type PlannedRead,
  type Read,
} from "../../http/index.js";
import { type Actor, visitor } from "../../own-code/index.js";
import { hasPrivateFile } from "../../values/files/private-mark.js";
import { checkPolicy, hasPolicy } from "../own-code/policy.js";
import { readShown, type ShownRecord } from "../query/include.js";
import { takeIncludes } from "../query/include-parameters.js";
import { planRead } from "../query/plan/plan-read.js";
import { isAboutTrash, planTrash, refuseOfTrash, takeTrash } from "../query/plan/trash.js";
import type { Reach } from "../query/reach.js";
import { rowsSeen, type SeenRecord, type View, wholeView, withSource } from "../rights/view.js";
import { idEquals, idFormOf } from "../table/column-keys.js";
import type { Table } from "../table/table.js";
import { appRecord } from "./app-record.js";
import { getStatement } from "./get-statement.js";
import { isHiddenInTrash } from "./hidden-in-trash.js";
import { asksPosition, checkPosition, withPosition } from "./log-position.js";
import { maxPageBytes } from "./page-text.js";
import { type StoredRecord, tagOf } from "./tag.js";

/** `GET /<resource>/:id`: 200 with the record, or 404; `fields` and `include` select its parts and related records. */
export function getRecord<Values>(table: Table<Values>): Read {
  const read = { table, action: "get" } as const;
  return (context) => {
    const id = idOf(table, context);
    if (isAboutTrash(table, context.query))
      return planTrash(table, "get", trashPlan(table, id, context));
    const planned = planRead(read, context, (seen, reach) => {
      const { query } = context;
      reach.values.push(id);
      const { sql, form } = query === "" ? asItIs : readParameters(seen, query, reach);
      return sql === null
        ? plannedWhole(seen, id, reach)
        : plannedShown(seen, id, { sql, form, reach });
    });
    return asksPosition(context.query) ? withPosition(planned) : planned;
  };
}

function trashPlan(table: Table<never>, id: string, { query }: Pick<Context, "query">) {
  return (seen: View, reach: Reach): PlannedRead => {
    reach.values.push(id);
    const { sql, form } = readParameters(seen, query, reach);
    const planned = plannedShown(seen, id, { sql: sql ?? seen.record, form, reach });
    return {
      ...planned,
      answer: async (row, context) => {
        if ((row.json ?? null) === null) await refuseHidden(context, table, id);
        return planned.answer(row, context);
      },
    };
  };
}

/** Throws 403 for a deleted record that the caller may get, but not delete. */
async function refuseHidden(context: Context, table: Table<never>, id: string): Promise<void> {
  const { services } = context;
  const caller = services.isTrusted === true ? null : (context.caller ?? visitor);
  const place = { actor: context, reader: accessOf(context, table) };
  const hidden = { table, rule: table.access.delete, caller, id };
  if (await isHiddenInTrash(place, hidden)) refuse("FORBIDDEN");
}

const asItIs: ShownRecord = { sql: null, form: "one" };

function plannedWhole(seen: View, id: string, reach: Reach): PlannedRead {
  const { text, parameters: values } = getStatement(seen, id, reach.accountId);
  return {
    text,
    values,
    cost: "key",
    resource: seen.resource,
    answer: async ({ json = null, version }, context) => {
      const record = json ?? refuse("NOT_FOUND");
      await checkRecord(seen, { id, record }, context);
      const headers = { etag: tagOf({ json: record, version: version ?? "" }) };
      // A record with private files never results in a 304: the client's signed URLs expire even if the record is
      // unchanged.
      const isKnown =
        !hasPrivateFile(record) &&
        isTagKnown(context.request.headers["if-none-match"], headers.etag);
      return isKnown
        ? { status: 304, json: null, headers }
        : { status: 200, json: record, headers };
    },
  };
}

/** The statement for a record; if there is a policy, it reads the whole record, whichever parts are requested. */
function plannedShown(
  seen: View,
  id: string,
  { sql, form, reach }: ShownRecord & { readonly reach: Reach },
): PlannedRead {
  const { resource, name, record } = seen;
  const { table } = seen;
  const found = `where ${idEquals(table, "$1")} and ${rowsSeen(seen, reach.account)}`;
  // `offset 0` keeps PostgreSQL from evaluating `shown` once for each reference.
  const select = `
      select json, case when octet_length(shown) <= ${maxPageBytes} then shown end as shown
      from (select ${record} as json, ${sql} as shown from ${name} ${found} offset 0) as _read`;
  const text = withSource(seen, select);
  return {
    text,
    values: reach.values,
    cost: form === "one" ? "index" : "scan",
    ...(form === "varied" && { isVaried: true }),
    depends: dependenceOf(text),
    resource,
    answer: async (row, context) => {
      const record = row.json ?? refuse("NOT_FOUND");
      await checkRecord(seen, { id, record }, context);
      const json = row.shown ?? refuse("BAD_PARAMETERS", { issues: [tooLong] });
      return { status: 200, json };
    },
  };
}

const tooLong = {
  param: "include",
  message: `The response takes more than ${maxPageBytes / 1024 / 1024} MB: request less`,
};

/** Calls the policy with the whole record, including fields hidden from the caller. */
async function checkRecord(
  seen: View,
  { id, record }: { readonly id: string; readonly record: string },
  context: Context,
): Promise<void> {
  const { table } = seen;
  if (!hasPolicy(context, table, "get")) return;
  const whole = await wholeRecord(accessOf(context, table), { view: seen, id }, record);
  await checkPolicy(context, { table, action: "get" }, appRecord(context.services, whole));
}

/** Calls the policy of `get` for a stored record, regardless of what the caller may see of it. */
export async function checkRecordPolicy(
  context: Context,
  table: Table<never>,
  id: string,
): Promise<void> {
  if (!hasPolicy(context, table, "get")) return;
  const whole = { view: wholeView(table), account: null };
  const { json } = await storedRecord(accessOf(context, table), whole, id);
  await checkPolicy(context, { table, action: "get" }, appRecord(context.services, json));
}

/** Reads the requested parts of the record; refuses parameters that only lists have. */
function readParameters(seen: View, query: string, reach: Reach): ShownRecord {
  const parameters = new Parameters(query);
  const isOfTrash = seen.source !== undefined;
  if (isOfTrash) takeTrash(parameters);
  const requested = { fields: parameters.takeList("fields"), include: takeIncludes(parameters) };
  const shown = readShown(seen, requested, { perPage: 1, reach, issues: parameters });
  const position = parameters.takeFlag("position");
  if (isOfTrash) refuseOfTrash({ position }, ["position"], parameters);
  else checkPosition(seen.table, position, parameters);
  for (const { param } of parameters.takeFilters()) parameters.reject(param, forLists);
  for (const name of listParameters) {
    if (parameters.take(name) !== undefined) parameters.reject(name, forLists);
  }
  parameters.finish({ ignoreUnknown: true });
  return shown;
}

const listParameters = ["page", "perPage", "cursor", "sort", "q", "search", "where", "etags"];
const forLists = "Is only for lists";

/** Returns the id in the path; throws 404 if no record of the table can have it. */
export function idOf(table: Pick<Table<never>, "columns">, { params }: Context): string {
  return idOrNotFound(table, params.id ?? "");
}

/** Refuses with 404 an id that no record of the table can have. */
export function idOrNotFound(table: Pick<Table<never>, "columns">, id: string): string {
  return idFormOf(table).isId(id) ? id : refuse("NOT_FOUND");
}

/** Returns the database with this resource's share of the connections. */
export function accessOf(
  { services }: Pick<Context, "services">,
  { resource }: Pick<Table<never>, "resource">,
): Access {
  return services.db.ofResource(resource);
}

/** Reads records: the database, or a transaction. */
export type Reader = Pick<Access, "query" | "read">;

export function readerOf({ query }: Queryable): Reader {
  return { query, read: ({ text, values }) => query(text, values) };
}

/**
 * The actor of a read or write, and its reader: the database, or the transaction in which the actor's app code runs.
 */
export interface Place {
  readonly actor: Actor;
  readonly reader: Reader;
}

/** The visible part of single records, and the id of the account; it is null if no rules apply. */
export interface Seeing {
  readonly view: SeenRecord;
  readonly account: string | null;
}

/** Finds a visible record; null if there is none with that id. */
export async function findRecord(
  reader: Reader,
  { view, account }: Seeing,
  id: string,
): Promise<StoredRecord | null> {
  const { text, parameters } = getStatement(view, id, account);
  const [row] = await reader.read<StoredRecord>({ text, values: parameters, cost: "key" });
  return row ?? null;
}

/** Returns a record; refuses with 404 if there is none that the caller may see. */
export async function storedRecord(
  reader: Reader,
  seeing: Seeing,
  id: string,
): Promise<StoredRecord> {
  return (await findRecord(reader, seeing, id)) ?? refuse("NOT_FOUND");
}

/** The record as JSON, including fields hidden from the caller: app code always gets whole records. */
export async function wholeRecord(
  reader: Reader,
  { view, id }: { readonly view: SeenRecord; readonly id: string },
  seen: string,
): Promise<string> {
  const whole = wholeView(view.table);
  if (view.record === whole.record) return seen;
  return (await storedRecord(reader, { view: whole, account: null }, id)).json;
}

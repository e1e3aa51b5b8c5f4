import type { QueryMethod } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import {
  type Answer,
  answerRead,
  type CallersRead,
  type Context,
  type Handle,
  Parameters,
  type PlannedRead,
  type Read,
  type Row,
  readJson,
  takesQuery,
} from "../../http/index.js";
import { type Services, servicesFor } from "../../own-code/index.js";
import { checkPolicy } from "../own-code/policy.js";
import { shapeComment } from "../query/condition.js";
import { type ListParameters, takeList } from "../query/list-parameters.js";
import { maxQueryBytes, readListBody } from "../query/query-body.js";
import { planRead, Reach } from "../query/reach.js";
import { asksPosition, checkPosition, withPosition } from "../record/log-position.js";
import { longPageBytes, maxPageBytes } from "../record/page-text.js";
import { accessOf } from "../record/read.js";
import { splitTagged } from "../record/tag.js";
import { Latest } from "../rights/latest.js";
import { onceFor } from "../rights/once-for.js";
import type { View } from "../rights/view.js";
import type { Table } from "../table/table.js";
import { type CheckedList, checkList } from "./check-list.js";
import { isRepeated } from "./few-rows.js";
import type { Listing } from "./listing.js";

/** `GET /<resource>`: 200 `{ data, meta }`; 400 with every parameter that is wrong. */
export function listRecords<Values>(table: Table<Values>): Read {
  lists += 1;
  const list = lists;
  return (context) => {
    const { query, services } = context;
    const make = () => {
      // What is kept must not hold the request.
      const kept = { query, services: servicesFor(services, null) };
      const listed = planList(table, kept, takeList);
      return asksPosition(query) ? withPosition(listed) : listed;
    };
    return query.length > maxKeptLength
      ? make()
      : plansOf(services.policies).get(`${list} ${query}`, make);
  };
}

/** Tells them apart. */
let lists = 0;

/**
 * The plans of the queries used last, of all lists of an app, by its policies: clients send the same ones again and again, and a plan,
 * which is the same for everybody, takes an eighth of the processor time of a list (measured: 26 to 38 µs).
 */
const plansOf = onceFor(
  (_: Services["policies"]) => new Latest<PlannedRead | CallersRead>(maxKept),
);

/** At some 5 KB each, and twice that for a search. */
const maxKept = 500;
/** Of a query, in characters: only programs send longer ones. */
const maxKeptLength = 500;

function planList<Values>(
  table: Table<Values>,
  context: Pick<Context, "query" | "services">,
  read: (parameters: Parameters) => ListParameters,
): PlannedRead | CallersRead {
  const { query, services } = context;
  return planRead(table, "list", context, (seen, reach) => {
    const parameters = new Parameters(query);
    const requested = read(parameters);
    const requestOf = (one: Reach) =>
      checkList(seen, requested, { issues: parameters, reach: one, services });
    const request = requestOf(reach);
    checkPosition(table, requested.position, parameters);
    parameters.finish();
    const isOfToken = seen.own !== undefined && reach.accountId === null;
    const later: Later = ({ caller }) => (isOfToken ? requestOf(new Reach(caller)) : request);
    return plannedList(seen, request, later);
  });
}

/**
 * The request for statements that follow the first: where that names the account of the token that it is sent with,
 * they name the caller's.
 */
type Later = (context: Context) => CheckedList;

/** `POST /<resource>/_query`: a list whose parameters are in the body; the address has none. */
export function queryRecords<Values>(table: Table<Values>): Handle {
  return takesQuery(async (context) => {
    const body = await readJson(context, maxQueryBytes);
    return { ...(await answerList(table, body, context)), isRead: true };
  });
}

/** Answers the query in a body of `_query`. */
export async function answerList(
  table: Table<never>,
  body: Readonly<Record<string, unknown>>,
  context: Context,
): Promise<Answer> {
  const planned = planList(table, context, (parameters) => readListBody(body, parameters));
  return answerRead(body.position === true ? withPosition(planned) : planned, context);
}

function plannedList(view: View, request: CheckedList, later: Later): PlannedRead {
  const { listing, statement, quickStatement, values } = request;
  const { table } = view;
  const via = quickStatement === null ? wayOf(listing) : "browse";
  const repeatedStatement = via === "find" ? request.repeatedStatement : null;
  // A statement that is always quick needs no comment for the log of slow ones.
  const shape = via === "browse" ? "" : shapeOf(view, listing);
  const first = shape + (quickStatement ?? statement)();
  let text = first;
  const expectAs = (total: string | null) => {
    const isFew = repeatedStatement !== null && total !== null && isRepeated(Number(total));
    if (!isFew) text = first;
    else if (text === first) text = shape + repeatedStatement();
  };
  return {
    // A plan is kept for the next time.
    get text() {
      return text;
    },
    values,
    via,
    resource: table.resource,
    answer: async (firstRow, context) => {
      await checkPolicy(context, table, "list");
      const { total = null } = firstRow;
      expectAs(total);
      const isAnswered = total !== null || (quickStatement === null && repeatedStatement === null);
      const row = isAnswered ? firstRow : await fullRow(view, later(context), context);
      const { data = null } = row;
      const bytes = longPageBytes(data);
      if (bytes !== null) return longList(view, later(context), bytes, context);
      const { texts, end } = pageTexts(request, row, data === null ? [] : [data]);
      return { status: 200, json: `{"data":[${texts[0] ?? ""}${end}` };
    },
  };
}

/**
 * How a list's statement is run. How many rows meet a condition without an index depends on its value, and the
 * best plan depends on their number (measured at a million rows: a generic plan took two to four times as
 * long). An early page whose total is in the tally is quick at any size, and so is one after a place in the
 * order of creation: they need no separate connection (measured: two fifths more lists a second). Sorts by
 * several fields or by those of linked records, and partial records, have too many variants to be prepared. Records of inverses cost many times a
 * plain page, so that those who ask for the same ones at once share an answer.
 */
function wayOf({ conditions, order, skipped, form, isCounted }: Listing): QueryMethod {
  const isVaried = form === "varied" || order.fields > 1 || order.joins !== "";
  if (isVaried || conditions.some(({ index }) => index === null)) return "search";
  if (conditions.some(({ index }) => index === "words")) return "find";
  if (form === "many") return "find";
  const [condition, ...others] = conditions;
  const isReady =
    condition === undefined ||
    (condition.index === "page" && (condition.count !== null || !isCounted));
  const isNear = skipped <= maxBrowsed;
  return isNear && order.isCreation && isReady && others.length === 0 ? "browse" : "list";
}

/** Rows that a page may skip in an index and still be among the quick reads: a pipeline counts 10 ms as slow. */
const maxBrowsed = 10_000;

/** The row of the statement that answers for any number of rows. */
async function fullRow(
  view: View,
  { listing, statement, values, quickStatement }: CheckedList,
  context: Context,
): Promise<Row> {
  const via = quickStatement === null ? wayOf(listing) : "query";
  const text = shapeOf(view, listing) + statement();
  const [row = {}] = await accessOf(context, view)[via]<Row>(text, values);
  return row;
}

function shapeOf(view: View, { conditions, order }: Listing): string {
  const lookups = conditions.flatMap((condition) => condition.lookups ?? []);
  return shapeComment(view, lookups, order);
}

/** Answers a long page: the query runs again, record by record, when it is its turn in the queue of long texts. */
function longList(view: View, request: CheckedList, bytes: number, context: Context): Answer {
  const { listing, longStatement, values } = request;
  if (listing.perPage > 1) checkBytes(bytes);
  const make = async () => {
    // Planned again, which costs little compared with the page, and not on the connection that others share.
    const rows = await accessOf(context, view).search<Row>(longStatement(), values);
    const [first = {}] = rows;
    if (listing.perPage > 1) checkBytes(Number(first.bytes));
    const records = rows.flatMap(({ record = null }) => record ?? []);
    const { texts, end } = pageTexts(request, first, records);
    return [`{"data":[`, ...texts.flatMap((text, at) => (at === 0 ? [text] : [",", text])), end];
  };
  return { status: 200, json: null, long: { bytes, make } };
}

function checkBytes(bytes: number): void {
  if (bytes <= maxPageBytes) return;
  const megabytes = maxPageBytes / 1024 / 1024;
  const message = `The records of this page take more than ${megabytes} MB: request fewer`;
  refuse("BAD_PARAMETERS", { issues: [{ param: "perPage", message }] });
}

/** The texts of a list's records, and the JSON text that follows them. */
function pageTexts(
  { listing, metaOf }: CheckedList,
  row: Row,
  records: readonly string[],
): { readonly texts: readonly string[]; readonly end: string } {
  if (!listing.isTagged) return { texts: records, end: `],"meta":${JSON.stringify(metaOf(row))}}` };
  const { texts, tags: etags } = splitTagged(records);
  return { texts, end: `],"meta":${JSON.stringify({ ...metaOf(row), etags })}}` };
}

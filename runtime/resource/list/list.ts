import { dependenceOf } from "../../db/index.js";
import {
  type Answer,
  answerRead,
  type CallersRead,
  type Context,
  type Handle,
  Parameters,
  type PlannedRead,
  type Read,
  takesQuery,
} from "../../http/index.js";
import { checkPolicy } from "../own-code/policy.js";
import { shapeComment } from "../query/condition.js";
import { type ListParameters, takeList } from "../query/list-parameters.js";
import { planRead } from "../query/plan/plan-read.js";
import {
  checkTrash,
  isAboutTrash,
  planTrash,
  refuseOfTrash,
  takeTrash,
} from "../query/plan/trash.js";
import { readListBody, readQuery } from "../query/query-body.js";
import { Reach } from "../query/reach.js";
import { asksPosition, checkPosition, withPosition } from "../record/log-position.js";
import { longPageBytes } from "../record/page-text.js";
import type { View } from "../rights/view.js";
import type { Table } from "../table/table.js";
import { answerOf, longAnswer } from "./answer.js";
import { costOf } from "./cost.js";
import { keepingPlans } from "./kept-plans.js";
import type { Listing } from "./listing.js";
import { readList } from "./read-list.js";
import { statementOf } from "./statement.js";

/** `GET /<resource>`: 200 `{ data, meta }`; 400 with every invalid parameter. */
export function listRecords<Values>(table: Table<Values>): Read {
  return keepingPlans((context) => {
    const isOfTrash = isAboutTrash(table, context.query);
    const take = isOfTrash ? takeTrashList : takeList;
    const planned = planList(table, context, { isOfTrash, take });
    return asksPosition(context.query) ? withPosition(planned) : planned;
  });
}

/** `POST /<resource>/_query`: a list whose parameters are in the body; the URL has none. */
export function queryRecords<Values>(table: Table<Values>): Handle {
  return takesQuery(async (context) => {
    const body = await readQuery(context);
    return { ...(await answerList(table, body, context)), isRead: true };
  });
}

/** Responds to the query in a body of `_query`. */
export async function answerList(
  table: Table<never>,
  body: Readonly<Record<string, unknown>>,
  context: Context,
): Promise<Answer> {
  const isOfTrash = table.trash !== undefined && body.trash !== undefined;
  const read = isOfTrash ? readTrashBody : readListBody;
  const take = (parameters: Parameters) => read(body, parameters);
  const planned = planList(table, context, { isOfTrash, take });
  return answerRead(body.position === true ? withPosition(planned) : planned, context);
}

/** The parameters of a list of current or deleted records. */
interface Sent {
  readonly isOfTrash: boolean;
  take(parameters: Parameters): ListParameters;
}

/** Plans a list for its caller: parameters, conditions and order, statement, response. */
function planList<Values>(
  table: Table<Values>,
  { query, services }: Pick<Context, "query" | "services">,
  { isOfTrash, take }: Sent,
): PlannedRead | CallersRead {
  const plan = (view: View, reach: Reach): PlannedRead => {
    const parameters = new Parameters(query);
    const sent = take(parameters);
    const listingFor = (one: Reach) =>
      readList(view, sent, { issues: parameters, reach: one, services });
    const listing = listingFor(reach);
    checkPosition(table, sent.position, parameters);
    parameters.finish();

    const cost = costOf(listing);
    // A statement that is always fast needs no comment for the log of slow statements.
    const comment = cost.cost === "index" ? "" : shapeOf(view, listing);
    const text = comment + statementOf(view, listing);
    const answer: PlannedRead["answer"] = async (row, context) => {
      await checkPolicy(context, { table, action: "list" });
      const bytes = longPageBytes(row.data ?? null);
      if (bytes === null) return answerOf({ view, listing }, row, context);
      // The first statement may get the account from the lookup of the token; this one needs the account's id.
      const isOfToken = view.own !== undefined && reach.accountId === null;
      const own = isOfToken ? new Reach(context.caller) : reach;
      const again = isOfToken ? listingFor(own) : listing;
      return longAnswer({ view, listing: again, values: own.values }, bytes, context);
    };
    const { values } = reach;
    return { text, values, ...cost, depends: dependenceOf(text), resource: table.resource, answer };
  };
  return isOfTrash
    ? planTrash(table, "list", plan)
    : planRead({ table, action: "list" }, { query, services }, plan);
}

function shapeOf(view: View, { conditions, order }: Listing): string {
  const lookups = conditions.flatMap((condition) => condition.lookups ?? []);
  return shapeComment(view, lookups, order);
}

function takeTrashList(parameters: Parameters): ListParameters {
  takeTrash(parameters);
  return ofTrash(takeList(parameters), parameters);
}

function readTrashBody(
  { trash, ...body }: Readonly<Record<string, unknown>>,
  parameters: Parameters,
): ListParameters {
  checkTrash(trash, parameters);
  return ofTrash(readListBody(body, parameters), parameters);
}

function ofTrash(
  { sort = ["-deletedAt"], ...sent }: ListParameters,
  parameters: Parameters,
): ListParameters {
  refuseOfTrash({ ...sent }, ["cursor", "position", "search", "highlight"], parameters);
  return { ...sent, cursor: undefined, position: undefined, etags: false, sort };
}

import { dependenceOf } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import {
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
import { conditionsComment } from "../query/condition.js";
import { planRead } from "../query/plan/plan-read.js";
import { readQuery } from "../query/query-body.js";
import { maxPageBytes } from "../record/page-text.js";
import type { View } from "../rights/view.js";
import type { Table } from "../table/table.js";
import { checkingTimezone, refusalOfTimezone } from "../time-zone/timezone.js";
import {
  type AggregateParameters,
  readAggregateBody,
  takeAggregate,
} from "./aggregate-parameters.js";
import { type AggregateQuery, readAggregate } from "./aggregate-query.js";
import { aggregateStatement } from "./aggregate-statement.js";

/** `GET /<resource>/_aggregate`: 200 `{ data, meta: { more } }`, one entry per group. */
export function aggregateRecords<Values>(table: Table<Values>): Read {
  return (context) => planAggregate(table, context, takeAggregate);
}

/** `POST /<resource>/_aggregate`: the same, with parameters in the body; the URL has none. */
export function aggregateByBody<Values>(table: Table<Values>): Handle {
  return takesQuery(async (context) => {
    const body = await readQuery(context);
    const planned = planAggregate(table, context, (issues) => readAggregateBody(body, issues));
    return { ...(await answerRead(planned, context)), isRead: true };
  });
}

function planAggregate<Values>(
  table: Table<Values>,
  context: Context,
  read: (parameters: Parameters) => AggregateParameters,
): PlannedRead | CallersRead {
  return planRead({ table, action: "stats" }, context, (seen, reach) => {
    const issues = new Parameters(context.query);
    const query = readAggregate(seen, read(issues), { issues, reach });
    issues.finish();
    return plannedRead(seen, query);
  });
}

function plannedRead(view: View, query: AggregateQuery): PlannedRead {
  const statement = checkingTimezone(aggregateStatement(query), query.timezone);
  const text = conditionsComment(view, query.conditions) + statement;
  return {
    text,
    values: query.values,
    cost: "aggregate",
    ...(query.conditions.some(({ isSearch }) => isSearch === true) && { isSearch: true }),
    depends: dependenceOf(text),
    resource: view.resource,
    refusalOf: refusalOfTimezone,
    answer: async ({ data = null, more = null, is_long: isLong = null }, ofCaller) => {
      await checkPolicy(ofCaller, { table: view, action: "stats" });
      if (isLong === "true") refuse("BAD_PARAMETERS", { issues: [tooLong] });
      const json = `{"data":[${data ?? ""}],"meta":{"more":${more === "true"}}}`;
      return { status: 200, json };
    },
  };
}

const tooLong = {
  param: "perPage",
  message: `The groups of this page take more than ${maxPageBytes / 1024 / 1024} MB: request fewer`,
};

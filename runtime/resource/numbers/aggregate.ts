import type { PlannedRead, Read } from "../../http/index.js";
import { checkPolicy } from "../own-code/policy.js";
import { planRead } from "../query/reach.js";
import { conditionsComment } from "../query/shape.js";
import type { Table } from "../table/table.js";
import { checkingTimezone, refusalOfTimezone } from "../time-zone/timezone.js";
import { type AggregateQuery, readAggregate } from "./aggregate-query.js";
import { aggregateStatement } from "./aggregate-statement.js";

/** `GET /<resource>/_aggregate`: 200 `{ data, meta: { more } }`, one entry for each group. */
export function aggregateRecords<Values>(table: Table<Values>): Read {
  return (context) =>
    planRead(table, "stats", context, (seen, reach) => {
      const planned = plannedRead(seen, readAggregate(seen, context.query, reach));
      return { ...planned, ...reach.bind(planned.text, planned.values) };
    });
}

function plannedRead<Values>(table: Table<Values>, query: AggregateQuery): PlannedRead {
  return {
    text:
      conditionsComment(table, query.conditions) +
      checkingTimezone(aggregateStatement(table, query), query.timezone),
    values: query.values,
    via: "aggregate",
    resource: table.resource,
    refusalOf: refusalOfTimezone,
    answer: async ({ data = null, more = null }, asked) => {
      await checkPolicy(asked, table, "stats");
      const json = `{"data":[${data ?? ""}],"meta":{"more":${more === "true"}}}`;
      return { status: 200, json };
    },
  };
}

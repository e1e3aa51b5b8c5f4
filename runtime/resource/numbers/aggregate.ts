import type { PlannedRead, Read } from "../../http/index.js";
import { checkPolicy } from "../own-code/policy.js";
import { planRead } from "../query/reach.js";
import { conditionsComment } from "../query/shape.js";
import type { View } from "../rights/view.js";
import type { Table } from "../table/table.js";
import { checkingTimezone, refusalOfTimezone } from "../time-zone/timezone.js";
import { type AggregateQuery, readAggregate } from "./aggregate-query.js";
import { aggregateStatement } from "./aggregate-statement.js";

/** `GET /<resource>/_aggregate`: 200 `{ data, meta: { more } }`, one entry for each group. */
export function aggregateRecords<Values>(table: Table<Values>): Read {
  return (context) =>
    planRead(table, "stats", context, (seen, reach) =>
      plannedRead(seen, readAggregate(seen, context.query, reach)),
    );
}

function plannedRead(view: View, query: AggregateQuery): PlannedRead {
  return {
    text:
      conditionsComment(view, query.conditions) +
      checkingTimezone(aggregateStatement(view, query), query.timezone),
    values: query.values,
    via: "aggregate",
    resource: view.resource,
    refusalOf: refusalOfTimezone,
    answer: async ({ data = null, more = null }, asked) => {
      await checkPolicy(asked, view, "stats");
      const json = `{"data":[${data ?? ""}],"meta":{"more":${more === "true"}}}`;
      return { status: 200, json };
    },
  };
}

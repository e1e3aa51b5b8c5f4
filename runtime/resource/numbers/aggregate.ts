import type { Question, Read } from "../../http/index.js";
import { checkPolicy } from "../own-code/policy.js";
import { planQuestion } from "../query/reach.js";
import { conditionsComment } from "../query/shape.js";
import type { Table } from "../table/table.js";
import { checkingTimezone, refusalOfTimezone } from "../time-zone/timezone.js";
import { type AggregateQuestion, readAggregate } from "./aggregate-query.js";
import { aggregateStatement } from "./aggregate-statement.js";

/** `GET /<resource>/_aggregate`: 200 `{ data, meta: { more } }`, one entry for each group. */
export function aggregateRecords<Values>(table: Table<Values>): Read {
  return (context) =>
    planQuestion(table, "stats", context, (seen, reach) => {
      const question = questionOf(seen, readAggregate(seen, context.query, reach));
      return { ...question, ...reach.bind(question.text, question.values) };
    });
}

function questionOf<Values>(table: Table<Values>, question: AggregateQuestion): Question {
  return {
    text:
      conditionsComment(table, question.conditions) +
      checkingTimezone(aggregateStatement(table, question), question.timezone),
    values: question.values,
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

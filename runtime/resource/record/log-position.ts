import {
  type Answer,
  type CallersRead,
  hasParameter,
  type Issues,
  Parameters,
  type PlannedRead,
} from "../../http/index.js";
import type { Table } from "../table/table.js";

export function asksPosition(query: string): boolean {
  if (query === "" || !hasParameter(query, /^position$/)) return false;
  return new Parameters(query).take("position") === "true";
}

/** Refuses the parameter for resources without `changes`. */
export function checkPosition(
  { resource, changes }: Table<never>,
  isRequested: boolean | undefined,
  issues: Issues,
): void {
  if (isRequested !== undefined && changes === undefined) {
    issues.reject(
      "position",
      `${resource} has no stream of changes: its descriptor needs "changes: true"`,
    );
  }
}

/** Adds the log position to the response of a read: a stream from there has every change that the response lacks. */
export function withPosition(planned: PlannedRead | CallersRead): CallersRead {
  return {
    prepare: async (context) => {
      // Read before the records: a change in between is then sent twice instead of lost.
      const position = (await context.services.logPosition?.()) ?? "";
      const prepared = "prepare" in planned ? await planned.prepare(context) : planned;
      return {
        ...prepared,
        answer: async (row, context) => marked(await prepared.answer(row, context), position),
      };
    },
  };
}

function marked(answer: Answer, position: string): Answer {
  return { ...answer, headers: { ...answer.headers, "changes-position": position } };
}

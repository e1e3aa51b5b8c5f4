import {
  type Answer,
  type CallersRead,
  type Context,
  type PlannedRead,
  type Read,
  type Route,
  takesQuery,
} from "./route.js";

/** Wraps a route so that `change` edits the JSON of its responses as the last step. */
export function withAnswers(route: Route, change: (json: string) => string): Route {
  if ("read" in route) return { ...route, read: changedRead(route.read, change) };
  const { handle } = route;
  const changed = async (context: Context) => changedAnswer(await handle(context), change);
  return { ...route, handle: handle.takesQuery === true ? takesQuery(changed) : changed };
}

function changedRead(read: Read, change: (json: string) => string): Read {
  const changedPlan = (planned: PlannedRead): PlannedRead => ({
    ...planned,
    answer: async (row, context) => changedAnswer(await planned.answer(row, context), change),
  });
  const changedOfCaller = (planned: CallersRead): CallersRead => ({
    ...(planned.ofNoRole !== undefined && { ofNoRole: changedPlan(planned.ofNoRole) }),
    prepare: async (context) => changedPlan(await planned.prepare(context)),
  });
  return (context) => {
    const planned = read(context);
    return "prepare" in planned ? changedOfCaller(planned) : changedPlan(planned);
  };
}

function changedAnswer(answer: Answer, change: (json: string) => string): Answer {
  const { json, long } = answer;
  if (json !== null) return { ...answer, json: change(json) };
  if (long === undefined) return answer;
  return { ...answer, long: { ...long, make: async () => (await long.make()).map(change) } };
}

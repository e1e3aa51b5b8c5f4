import { Refusal } from "../../../errors/index.js";
import {
  type CallersRead,
  type Context,
  hasParameter,
  type PlannedRead,
} from "../../../http/index.js";
import { type Services, visitor } from "../../../own-code/index.js";
import { isPublicRule } from "../../../values/access-rule.js";
import { readable } from "../../rights/readable.js";
import { isSeenAlike } from "../../rights/rules.js";
import { type View, wholeView } from "../../rights/view.js";
import type { Table } from "../../table/table.js";
import { Reach } from "../reach.js";

/** A table, and the action by which a caller reads it. */
interface TableRead {
  readonly table: Table<never>;
  readonly action: "list" | "get" | "stats";
}

/** Plans a read of the table as its caller sees it. */
export type Planner = (seen: View, reach: Reach) => PlannedRead;

/**
 * Plans a read of the table as the caller sees it. If callers see different parts, or some may not read what the query
 * reaches, the caller is identified and checked first. This precedes the query, reports of its errors, and parsing a
 * `where`.
 */
export function planRead(
  read: TableRead,
  context: Pick<Context, "query" | "services">,
  plan: Planner,
): PlannedRead | CallersRead {
  const { table, action } = read;
  const { query, services } = context;
  const isTrusted = services.isTrusted === true;
  const prepare = (ofCaller: Context) => planForCaller(read, ofCaller, plan);
  if (!isTrusted && hasWhere(query)) return { prepare };
  if (!isTrusted && !isSeenAlike(table)) {
    return { prepare, ...planForNoRole(read, services, plan) };
  }
  const reach = new Reach(null);
  const planned = attempt(() => plan(wholeView(table), reach));
  const isPublic = isPublicRule(table.access[action]);
  if (reach.isOpen(services, { isPublic })) return outcomeOf(planned);
  return {
    prepare: async (ofCaller) => {
      // The query reaches resources of which callers see different parts.
      if (!reach.isAlike) return planForCaller(read, ofCaller, plan);
      await reach.check(ofCaller);
      return outcomeOf(planned);
    },
  };
}

/** Whether a query contains JSON, which is not parsed for unknown callers. */
function hasWhere(query: string): boolean {
  return query !== "" && hasParameter(query, /^where$|\[where\]$/);
}

/**
 * Plans a read for a caller without a role, since every role may read at least as much. Undefined if the read would be
 * refused, or if it reaches more than every caller may read.
 */
function planForNoRole(
  { table, action }: TableRead,
  services: Services,
  plan: Planner,
): Pick<CallersRead, "ofNoRole"> {
  const reach = new Reach(null);
  const planned = attempt(() => plan(readable(table, action, null), reach));
  return planned instanceof Refusal || !reach.isOpen(services, { isPublic: false })
    ? {}
    : { ofNoRole: planned };
}

async function planForCaller(
  { table, action }: TableRead,
  context: Context,
  plan: Planner,
): Promise<PlannedRead> {
  const caller = context.caller ?? visitor;
  const reach = new Reach(caller);
  const planned = attempt(() => plan(readable(table, action, caller.role), reach));
  await reach.check(context);
  return outcomeOf(planned);
}

function attempt(plan: () => PlannedRead): PlannedRead | Refusal {
  try {
    return plan();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function outcomeOf(planned: PlannedRead | Refusal): PlannedRead {
  if (planned instanceof Refusal) throw planned;
  return planned;
}

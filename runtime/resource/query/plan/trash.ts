import {
  type CallersRead,
  type Context,
  hasParameter,
  type Issues,
  isAllowed,
  type Parameters,
  refuseByRule,
  refuseUnauthenticated,
} from "../../../http/index.js";
import { visitor } from "../../../own-code/index.js";
import { trashedBy, wholeTrash } from "../../rights/trashed.js";
import type { Table } from "../../table/table.js";
import { Reach } from "../reach.js";
import type { Planner } from "./plan-read.js";

/** Whether a query string selects deleted records; without a trash, `trash` is an unknown parameter. */
export function isAboutTrash({ trash }: Table<never>, query: string): boolean {
  return trash !== undefined && query !== "" && hasParameter(query, /^trash$/);
}

/** Removes `trash`, whose only value is `only`. */
export function takeTrash(parameters: Parameters): void {
  checkTrash(parameters.take("trash"), parameters);
}

export function checkTrash(trash: unknown, issues: Issues): void {
  if (trash !== "only") issues.reject("trash", 'Must be "only"');
}

/** Refuses parameters that queries of deleted records do not support. */
export function refuseOfTrash(
  sent: Readonly<Record<string, unknown>>,
  names: readonly string[],
  issues: Issues,
): void {
  for (const name of names) {
    if (sent[name] !== undefined && sent[name] !== false) {
      issues.reject(name, "Cannot be combined with trash");
    }
  }
}

/** Plans a read of the deleted records that the caller may both read and delete. */
export function planTrash(table: Table<never>, action: "list" | "get", plan: Planner): CallersRead {
  return {
    prepare: async (context) => {
      const { services } = context;
      if (services.isTrusted === true) {
        return plan(wholeTrash(table), new Reach(null, { isOfTrash: true }));
      }
      const caller = context.caller ?? visitor;
      checkRule(table, context);
      const names = isAllowed(caller, services.config.auth.profiles) ? "named" : "unnamed";
      const reach = new Reach(caller, { isOfTrash: true });
      const planned = plan(trashedBy[names](table, action, caller.role), reach);
      await reach.check(context);
      return planned;
    },
  };
}

function checkRule({ access }: Table<never>, { caller }: Context): void {
  if (isAllowed(caller ?? visitor, access.delete)) return;
  if (caller === null) refuseUnauthenticated();
  refuseByRule(caller, access.delete);
}

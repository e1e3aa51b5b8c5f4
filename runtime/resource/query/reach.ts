import { Refusal, refuse } from "../../errors/index.js";
import {
  type CallersRead,
  type Context,
  hasParameter,
  isAllowed,
  namesRole,
  type PlannedRead,
} from "../../http/index.js";
import { type Caller, type Services, visitor } from "../../own-code/index.js";
import { isPublicRule, type Rule } from "../../values/access-rule.js";
import { hasPolicy, isAllowedBy } from "../own-code/policy.js";
import { type AccountSql, accountAmong, accountOfToken } from "../rights/account.js";
import { accountNames, accountProfiles } from "../rights/accounts.js";
import { readable } from "../rights/readable.js";
import { isSeenAlike } from "../rights/rules.js";
import { type Rows, type View, wholeView } from "../rights/view.js";
import type { Table } from "../table/table.js";

/** Another resource whose records a query shows or compares. */
interface Need {
  readonly rows: Rows;
  /** `list` for conditions and inverses, `get` for the record that a link leads to. */
  readonly action: "list" | "get";
}

/**
 * The inputs of one query's statement from outside its table: its values, the caller's account, and the other resources
 * that it reaches. It runs only for a caller who may read these; otherwise even its duration could reveal something.
 */
export class Reach {
  /** The values of the statement, added as its SQL is made. */
  readonly values: unknown[] = [];
  readonly account: AccountSql;
  /** Lists of deleted records, and of states between changes, have no entries. */
  readonly lists: "entries" | "values";
  readonly #needs: Need[] = [];
  readonly #isOfTrash: boolean;
  readonly #caller: Caller | null;
  #isAlike = true;

  /** For one caller; null if the statement is made before the caller is known. */
  constructor(caller: Caller | null, { isOfTrash = false, isOfChanges = false } = {}) {
    this.#caller = caller;
    this.lists = isOfTrash || isOfChanges ? "values" : "entries";
    this.#isOfTrash = isOfTrash;
    this.account = caller === null ? accountOfToken : accountAmong(this.values, caller.accountId);
  }

  /** Null if the caller is unknown: the statement can then only be sent together with the look-up of the token. */
  get accountId(): string | null {
    return this.#caller?.accountId ?? null;
  }

  /** The rows of accounts, or of the table as the caller sees it by that action. */
  see(table: (() => Table<never>) | undefined, action: Need["action"]): Rows {
    if (table === undefined) return action === "list" ? accountNames : accountProfiles;
    const rows = this.#rowsOf(table(), action);
    // In a statement on deleted records, the unqualified name may include deleted rows.
    return this.#isOfTrash ? { ...rows, name: `public.${rows.name}` } : rows;
  }

  #rowsOf(reached: Table<never>, action: Need["action"]): Rows {
    if (this.#caller !== null) return readable(reached, action, this.#caller.role);
    this.#isAlike &&= isSeenAlike(reached);
    return wholeView(reached);
  }

  /** Adds rows whose records the query shows or compares. */
  enter(rows: Rows, action: Need["action"]): void {
    this.#needs.push({ rows, action });
  }

  /** Whether the query means the same for every caller. */
  get isAlike(): boolean {
    return this.#isAlike;
  }

  /** Whether every caller may read all of it; with `isPublic`, including anonymous callers. */
  isOpen(services: Services, { isPublic }: { readonly isPublic: boolean }): boolean {
    if (services.isTrusted === true) return true;
    if (!this.#isAlike) return false;
    return this.#needs.every(
      ({ rows, action }) =>
        namesRole(ruleOf(rows, action, services), isPublic ? visitor.role : null) &&
        !hasPolicy({ services }, rows, action),
    );
  }

  /** Refuses with 403 and the resource's name unless the caller may read all of it. */
  async check(context: Context): Promise<void> {
    const { services } = context;
    const caller = context.caller ?? visitor;
    for (const { rows, action } of this.#needs) {
      if (!isAllowed(caller, ruleOf(rows, action, services))) refuseReading(rows);
      if (!hasPolicy(context, rows, action)) continue;
      // A policy for single records cannot decide about records that a statement joins.
      if (action === "get" || !(await isAllowedBy(context, { table: rows, action })))
        refuseReading(rows);
    }
  }
}

function ruleOf({ access }: Rows, action: Need["action"], { config }: Services) {
  const rule: Rule = access?.[action] ?? config.auth.profiles;
  return rule;
}

function refuseReading({ resource }: Rows): never {
  refuse("FORBIDDEN", { error: `You may not read ${resource} here` });
}

/** A table, and the action by which a caller reads it. */
interface TableRead {
  readonly table: Table<never>;
  readonly action: "list" | "get" | "stats";
}

/** Plans a read of the table as its caller sees it. */
type Plan = (seen: View, reach: Reach) => PlannedRead;

/**
 * The read that `plan` makes of the table as the caller sees it. If callers see different parts, or some may not read
 * what it reaches, the caller is identified and checked first: before the query runs, its errors are reported, or a
 * `where` is parsed.
 */
export function planRead(
  read: TableRead,
  context: Pick<Context, "query" | "services">,
  plan: Plan,
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
 * The read of a caller without a role, since every role may read at least as much. Undefined if it would be refused, or
 * if it reaches more than every caller may read.
 */
function planForNoRole(
  { table, action }: TableRead,
  services: Services,
  plan: Plan,
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
  plan: Plan,
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

import { refuse } from "../../errors/index.js";
import { type Context, isAllowed, namesRole } from "../../http/index.js";
import { type Caller, type Services, visitor } from "../../own-code/index.js";
import type { Rule } from "../../values/access-rule.js";
import { withSchema } from "../../values/sql/table-name.js";
import { hasPolicy, isAllowedBy } from "../own-code/policy.js";
import { type AccountSql, accountAmong, accountOfToken } from "../rights/account.js";
import { accountNames, accountProfiles } from "../rights/accounts.js";
import { readable } from "../rights/readable.js";
import { isSeenAlike } from "../rights/rules.js";
import { type Rows, wholeView } from "../rights/view.js";
import type { Table } from "../table/table.js";

/** Another resource whose records a query returns or compares. */
interface Need {
  readonly rows: Rows;
  /** `list` for conditions and inverses, `get` for the record that a link leads to. */
  readonly action: "list" | "get";
}

/**
 * What one query's statement uses from outside its table: its values, the caller's account, and the other resources
 * that it reaches. It runs only for a caller who may read these; otherwise even its duration could reveal something.
 */
export class Reach {
  /**
   * The values of the statement. Code that generates a part of the SQL adds the part's values here and refers to them
   * by number, so each part must be generated exactly once.
   */
  readonly values: unknown[] = [];
  readonly account: AccountSql;
  /** Lists of deleted records, and of states between changes, have no entries. */
  readonly lists: "entries" | "values";
  readonly #needs: Need[] = [];
  readonly #isOfTrash: boolean;
  readonly #caller: Caller | null;
  #isAlike = true;

  /** `caller` is null if the statement is generated before the caller is known. */
  constructor(caller: Caller | null, { isOfTrash = false, isOfChanges = false } = {}) {
    this.#caller = caller;
    this.lists = isOfTrash || isOfChanges ? "values" : "entries";
    this.#isOfTrash = isOfTrash;
    this.account = caller === null ? accountOfToken : accountAmong(this.values, caller.accountId);
  }

  /** Null if the caller is unknown: the statement must then be sent together with the lookup of the token. */
  get accountId(): string | null {
    return this.#caller?.accountId ?? null;
  }

  /** The rows of the table as the caller sees it by that action; without a table, those of accounts. */
  see(table: (() => Table<never>) | undefined, action: Need["action"]): Rows {
    if (table === undefined) return action === "list" ? accountNames : accountProfiles;
    const rows = this.#rowsOf(table(), action);
    // In a statement on deleted records, the unqualified name may include deleted rows.
    return this.#isOfTrash ? { ...rows, name: withSchema(rows.name) } : rows;
  }

  #rowsOf(reached: Table<never>, action: Need["action"]): Rows {
    if (this.#caller !== null) return readable(reached, action, this.#caller.role);
    this.#isAlike &&= isSeenAlike(reached);
    return wholeView(reached);
  }

  /** Adds rows whose records the query returns or compares. */
  enter(rows: Rows, action: Need["action"]): void {
    this.#needs.push({ rows, action });
  }

  /** Whether the query has the same meaning for every caller. */
  get isAlike(): boolean {
    return this.#isAlike;
  }

  /** Whether every caller may read everything that the query reaches; with `isPublic`, also anonymous callers. */
  isOpen(services: Services, { isPublic }: { readonly isPublic: boolean }): boolean {
    if (services.isTrusted === true) return true;
    if (!this.#isAlike) return false;
    return this.#needs.every(
      ({ rows, action }) =>
        namesRole(ruleOf(rows, action, services), isPublic ? visitor.role : null) &&
        !hasPolicy({ services }, rows, action),
    );
  }

  /** Refuses with 403 and the resource's name unless the caller may read everything that the query reaches. */
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

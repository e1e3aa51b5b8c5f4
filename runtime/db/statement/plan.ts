/** A read as data: a statement, and what decides how it is run. */
export interface Plan {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly cost: Cost;
  /**
   * What else decides the answer than the text and its values. Left out if that is not known, or if there may be more than
   * one row: such an answer is not cached.
   */
  readonly depends?: Dependence;
  /** Which plan of PostgreSQL is best depends on the values, or there are too many such texts: it is planned each time. */
  readonly isVaried?: true;
  /** The resource whose share of the connections it uses; the common share if it is about none. */
  readonly resource?: string | undefined;
  /**
   * The caller in whose name it is asked: found by the same statement, and without one nothing is read. Of a plan that is
   * too slow for that, only the caller is found, unless its row is cached; see `Unread`.
   */
  readonly caller?: CallerLookUp;
}

/**
 * `key`: by unique keys, always fast, in one of a few texts. `index`: some rows in the order of an index, fast unless they are
 * huge. `scan`: some rows that an index may not help to find or sort. `aggregate`: very many rows for an answer of a few.
 */
export type Cost = "key" | "index" | "scan" | "aggregate";

/** `rows`: only what is stored. `caller`: also the account that asks. `time`: also when it is asked. */
export type Dependence = "rows" | "caller" | "time";

/** What the row of a plan has whose caller was found, and which was not read. */
export interface Unread {
  readonly _isUnread?: true;
}

/** How the caller of a plan is found: a select of at most one row. */
export interface CallerLookUp {
  /** The select, whose parameters begin with that number; its columns begin with a dash, `_account` is the account's id. */
  readonly sql: (first: number) => string;
  readonly values: readonly unknown[];
  /** A text that tells one caller from another. */
  readonly key: string;
}

/** What decides the answer to a statement of the package's: an access rule of the app may compare with the time. */
export function dependenceOf(text: string): Dependence {
  if (text.includes("now()")) return "time";
  return text.includes(callersAccount) ? "caller" : "rows";
}

/** SQL for the id of the caller's account in a plan that is asked in the name of a caller. */
export const callersAccount = "_caller._account";

/** A plan that is asked in the name of a caller, for one whose account is known already. */
export function planFor(plan: Plan, accountId: string): Plan {
  const { text, values } = plan;
  if (!text.includes(callersAccount)) return plan;
  return {
    ...plan,
    text: text.replaceAll(callersAccount, `$${values.length + 1}::uuid`),
    values: [...values, accountId],
  };
}

/** A read as data: a statement, and what decides how it is run. */
export interface Plan {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly cost: Cost;
  /**
   * What the result depends on besides the text and its values. Omitted if that is unknown, or if there may be more
   * than one row; the result is then not cached.
   */
  readonly depends?: Dependence;
  /**
   * Whether PostgreSQL must plan it each time, because the best plan depends on the values, or
   * because there are too many different texts.
   */
  readonly isVaried?: true;
  /** Set for a full-text search: few run concurrently, and each has a shorter time limit. */
  readonly isSearch?: true;
  /** The deadline of a search by the clock of `performance.now()`; omitted for the usual limits. */
  readonly until?: number;
  /** The resource whose share of the connections the plan uses; by default the common share. */
  readonly resource?: string | undefined;
  /**
   * The caller for whom the plan runs, found by the same statement; without a caller nothing is
   * read. If the plan is too slow for that, the statement finds only the caller, unless the plan's
   * row is cached; see `Unread`.
   */
  readonly caller?: CallerLookUp;
}

/**
 * `key`: by unique keys, always fast, with few different texts. `index`: some rows in index order, fast unless they are
 * huge. `scan`: some rows that an index may not help to find or sort. `aggregate`: reads very many rows for a small
 * result.
 */
export type Cost = "key" | "index" | "scan" | "aggregate";

/** `rows`: only stored data. `caller`: also the calling account. `time`: also the current time. */
export type Dependence = "rows" | "caller" | "time";

/** Returned instead of the row if a plan was not run although its caller was found. */
export interface Unread {
  readonly _isUnread?: true;
}

/** The lookup of a plan's caller. */
export interface CallerLookUp {
  /**
   * The select, whose parameters begin with that number; its columns begin with an underscore, `_account` is the
   * account's id.
   */
  readonly sql: (first: number) => string;
  readonly values: readonly unknown[];
  /** A text that is unique per caller. */
  readonly key: string;
}

/** What a statement of the package depends on: an access rule of the app may compare with the time. */
export function dependenceOf(text: string): Dependence {
  if (text.includes("now()")) return "time";
  return text.includes(callersAccount) ? "caller" : "rows";
}

/** SQL for the id of the caller's account in a plan that has a caller. */
export const callersAccount = "_caller._account";

/** Converts a plan that looks up its caller to one for a known account. */
export function planFor(plan: Plan, accountId: string): Plan {
  const { text, values } = plan;
  if (!text.includes(callersAccount)) return plan;
  return {
    ...plan,
    text: text.replaceAll(callersAccount, `$${values.length + 1}::uuid`),
    values: [...values, accountId],
  };
}

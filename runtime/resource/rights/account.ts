import { callersAccount } from "../../db/index.js";

/** Returns SQL for the id of the caller's account; the first call may add the id to the statement's values. */
export type AccountSql = () => string;

/** SQL for the account's id in a statement that is sent together with the lookup of the caller's token. */
export const accountOfToken: AccountSql = () => callersAccount;

/** SQL for the account's id as a value of the statement; the first call adds it. */
export function accountAmong(values: unknown[], id: string): AccountSql {
  let sql: string | null = null;
  return () => {
    sql ??= `$${values.push(id)}`;
    return sql;
  };
}

/** The text of a statement, whose last parameter may be the caller's account. */
export interface StatementText {
  readonly text: string;
  /** Whether the text has a parameter for the account. */
  readonly isOfAccount: boolean;
}

/** A statement and its values. */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** Creates a text that can be cached, because it is the same for every account. */
export function textWithAccount(
  values: number,
  make: (account: AccountSql) => string,
): StatementText {
  let isOfAccount = false;
  const text = make(() => {
    isOfAccount = true;
    return `$${values + 1}`;
  });
  return { text, isOfAccount };
}

/** The statement with its values, and the account's id if the text has a parameter for it. */
export function withAccount(
  { text, isOfAccount }: StatementText,
  values: readonly unknown[],
  account: string | null,
): Statement {
  return { text, parameters: isOfAccount ? [...values, account] : values };
}

import { callersAccount } from "../../db/index.js";

/** SQL for the id of the caller's account; the statement has it among its values once it is asked for. */
export type AccountSql = () => string;

/** The id as PostgreSQL knows it in a statement that is sent together with the look-up of the caller's token. */
export const accountOfToken: AccountSql = () => callersAccount;

/** The id as one of the statement's values, to which it is added when it is first asked for. */
export function accountAmong(values: unknown[], id: string): AccountSql {
  let sql: string | null = null;
  return () => {
    sql ??= `$${values.push(id)}`;
    return sql;
  };
}

/** The text of a statement with as many values as its shape has, and after them the caller's account. */
export interface StatementText {
  readonly text: string;
  /** Whether it names the account. */
  readonly isOfAccount: boolean;
}

/** A statement and its values. */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** Makes a text that can be kept, because it is the same for every account. */
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

/** The statement with its values, and the account's id if the text names it. */
export function withAccount(
  { text, isOfAccount }: StatementText,
  values: readonly unknown[],
  account: string | null,
): Statement {
  return { text, parameters: isOfAccount ? [...values, account] : values };
}

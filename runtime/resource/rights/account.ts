import type { Access } from "../../db/index.js";
import { callersAccount } from "../../http/index.js";
import type { Actor } from "../../own-code/index.js";

/**
 * A placeholder in SQL for the id of the caller's account. The text is the same for everybody; the statement
 * made from it takes the id as its last value.
 */
export const account = callersAccount;

/** A reader that adds the id of the caller's account to statements that need it. */
export function readerOfCaller({ caller }: Actor, reader: AccountReader): AccountReader {
  if (caller === null) return reader;
  const { accountId } = caller;
  return {
    query: (text, values = []) => {
      const bound = bindAccount({ text, values }, accountId);
      return reader.query(bound.text, bound.values);
    },
    lookUp: (text, values = []) => {
      const bound = bindAccount({ text, values }, accountId);
      return reader.lookUp(bound.text, bound.values);
    },
  };
}

type AccountReader = Pick<Access, "query" | "lookUp">;

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The statement of a read that was sent before its caller was known. */
export function bindFor({ caller }: Actor, statement: Statement): Statement {
  return caller === null ? statement : bindAccount(statement, caller.accountId);
}

/** The statement with the account's id among its values; unchanged where it does not need the id. */
export function bindAccount({ text, values }: Statement, id: string | null): Statement {
  if (!text.includes(account)) return { text, values };
  return {
    text: text.replaceAll(account, `$${values.length + 1}`),
    values: [...values, id],
  };
}

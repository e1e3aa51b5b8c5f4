import {
  type AccountSql,
  accountOfToken,
  type Statement,
  textWithAccount,
  withAccount,
} from "../rights/account.js";
import { onceFor } from "../rights/once-for.js";
import { rowsSeen, type SeenRecord } from "../rights/view.js";

/**
 * The statement that reads one record as the account sees it. A null account stands for that of the token, which the
 * same statement looks up; views of all rows need no account.
 */
export function getStatement(seen: SeenRecord, id: string, account: string | null): Statement {
  if (account === null) return { text: textOfToken(seen), parameters: [id] };
  return withAccount(textOfAccount(seen), [id], account);
}

const textOfToken = onceFor((seen: SeenRecord) => textOf(seen, accountOfToken));
const textOfAccount = onceFor((seen: SeenRecord) =>
  textWithAccount(1, (account) => textOf(seen, account)),
);

function textOf(seen: SeenRecord, account: AccountSql): string {
  const { table, record } = seen;
  return table.queries.get({ record, row: rowsSeen(seen, account) });
}

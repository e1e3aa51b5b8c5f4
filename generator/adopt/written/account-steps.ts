import { indexName } from "../../../runtime/values/schema/object-names.js";
import { sqlIdentifier } from "../../../runtime/values/sql/text.js";
import { type Step, transaction } from "../../schema/sql/step.js";
import { accountColumn } from "../model/accounts.js";
import type { Adoption } from "../model/adoption.js";
import { sqlTable } from "../model/sql-name.js";

/**
 * Returns the steps that add the account column, and then its index while the table is in use. The new column is empty,
 * so PostgreSQL checks the foreign key without a scan.
 */
export function accountSteps({ tables, updates }: Adoption): readonly Step[] {
  return [...tables, ...updates].flatMap(({ table, account }): readonly Step[] => {
    if (account === null) return [];
    const sql = sqlTable(table);
    const column = `add column if not exists ${accountColumn} uuid references service.users on delete set null`;
    const keys = [{ column: accountColumn, order: "asc" }] as const;
    const name = indexName(table.name, { unique: true, keys });
    return [
      transaction("accounts", [`alter table ${sql}\n  ${column};`]),
      {
        ...{ kind: "index", name, extension: null },
        statement: `create unique index concurrently ${sqlIdentifier(name)} on ${sql} (${accountColumn});`,
      },
    ];
  });
}

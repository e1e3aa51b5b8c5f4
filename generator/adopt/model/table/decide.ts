import type { FoundColumn, FoundTable } from "../../catalogue/catalogue.js";
import type { Remark } from "../adoption.js";
import { sqlTable } from "../sql-name.js";
import type { Refusal, TableChoice } from "./choice.js";
import { decideKey } from "./decide-key.js";
import { isLedger } from "./ledgers.js";
import { isView } from "./view.js";

/** Either how the table is adopted, or the reason why it is not. */
export type TableDecision =
  | {
      readonly key: FoundColumn;
      /** Whether triggers count the table's rows. */
      readonly isCounted: boolean;
      readonly remarks: readonly Remark[];
    }
  | { readonly refused: Refusal };

/** Decides whether a table or view becomes a resource. */
export function decideTable(table: FoundTable, choice: TableChoice): TableDecision {
  const remarks = isView(table) ? [viewRemark] : uncountedRemarks(table);
  const isCounted = choice.mayHaveTriggers && remarks.length === 0;
  const refused = refusal(table, { isCounted });
  if (refused !== null) return { refused };
  const key = decideKey(table, choice);
  return "refused" in key ? key : { ...key, isCounted, remarks };
}

const viewRemark: Remark = {
  column: null,
  kind: "view",
  taken: "read-only",
  why: "a view is read-only, and each request counts its rows (triggers: none)",
  way: null,
};

/** Returns remarks on tables on which statements do not fire all triggers. */
function uncountedRemarks({ kind, isReplicated }: FoundTable): readonly Remark[] {
  const remark = (why: string): Remark => ({
    ...{ column: null, kind: "trigger", taken: true, way: null },
    why: `${why} do not fire the table's triggers: each request counts its rows (triggers: none)`,
  });
  return [
    ...(kind === "partitioned" ? [remark("statements on its partitions")] : []),
    ...(isReplicated ? [remark("changes that its subscription replicates")] : []),
  ];
}

function refusal(
  table: FoundTable,
  { isCounted }: { readonly isCounted: boolean },
): Refusal | null {
  const { name, kind, hasRowSecurity, hasRules, inherits, rights, isOwned } = table;
  const sql = sqlTable(table);
  if (isLedger(name)) {
    return {
      kind: "ledger",
      why: "this table is a migration tool's record of applied migrations",
      way: null,
    };
  }
  if (kind === "foreign") {
    const way = "copy it into a table, or adopt it in the database that has it";
    return { kind: "foreign-table", why: "the rows are in another database", way };
  }
  if (inherits) {
    const why = "statements on one of its children are not counted";
    return { kind: "inheritance", why, way: "adopt a table without inheritance" };
  }
  if (hasRules && !isView(table)) {
    const why = "rules rewrite the statements on it";
    return { kind: "rule", why, way: "replace its rules with triggers" };
  }
  if (hasRowSecurity) {
    const way = `connect as the owner of ${sql}, or as a role with bypassrls`;
    return { kind: "row-security", why: "policies hide rows from the connected role", way };
  }
  if (!rights.includes("select")) {
    const way = `grant select on ${sql} to the role in database.url`;
    return { kind: "privilege", why: "the connected role lacks permission to read it", way };
  }
  if (isCounted && !isOwned) {
    const way = `connect as its owner, run: alter table ${sql} owner to the role in database.url, or count its rows in each request: --no-triggers`;
    return { kind: "privilege", why: "only its owner may add the triggers that count rows", way };
  }
  return nameRefusal(table);
}

function nameRefusal({ schema, name }: FoundTable): Refusal | null {
  const isUsable = !/[.\p{Cc}]/u.test(schema + name) && !/^(?:_|pg_)/.test(name);
  if (isUsable) return null;
  const why = "names with a dot or control characters, or that begin with _ or pg_, are reserved";
  return { kind: "name", why, way: "rename the table" };
}

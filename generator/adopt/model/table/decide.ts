import type { FoundColumn, FoundTable } from "../../catalogue/catalogue.js";
import type { Remark } from "../adoption.js";
import { sqlTable } from "../sql-name.js";
import { isKey, keyProblem } from "./key.js";
import { isLedger } from "./ledgers.js";

/** Either the table's key, or the reason why the table is not taken. */
export type TableDecision =
  | { readonly key: FoundColumn }
  | { readonly refused: Omit<Remark, "column" | "taken"> };

/** Decides whether a table becomes a resource. */
export function decideTable(table: FoundTable): TableDecision {
  const refused = refusal(table);
  return refused === null ? keyOf(table) : { refused };
}

type Refusal = Omit<Remark, "column" | "taken">;

function refusal(table: FoundTable): Refusal | null {
  const { name, kind, hasRowSecurity, hasRules, inherits, rights, isOwned } = table;
  const sql = sqlTable(table);
  if (isLedger(name)) {
    return { kind: "ledger", why: "a migration tool keeps its own list here", way: null };
  }
  if (kind === "foreign") {
    const way = "copy it into a table, or adopt it in the database that has it";
    return { kind: "foreign-table", why: "the rows are in another database", way };
  }
  if (inherits || kind === "partitioned") {
    const why = `statements on one of its ${inherits ? "children" : "partitions"} are not counted`;
    return { kind: "inheritance", why, way: "adopt a table without them" };
  }
  if (hasRules) {
    const why = "rules rewrite the statements on it";
    return { kind: "rule", why, way: "replace its rules by triggers" };
  }
  if (hasRowSecurity) {
    const way = `connect as the owner of ${sql}, or as a role with bypassrls`;
    return { kind: "row-security", why: "policies hide rows from the connected role", way };
  }
  if (!rights.includes("select")) {
    const way = `grant select on ${sql} to the role in database.url`;
    return { kind: "privilege", why: "the connected role may not read it", way };
  }
  if (!isOwned) {
    const way = `connect as its owner, or: alter table ${sql} owner to the role in database.url`;
    return { kind: "privilege", why: "only its owner may add the triggers that count rows", way };
  }
  return nameRefusal(table);
}

function nameRefusal({ name }: FoundTable): Refusal | null {
  const isUsable = !/[.\p{Cc}]/u.test(name) && !/^(?:_|pg_)/.test(name);
  if (isUsable) return null;
  const why = "names with a dot or control characters, or that begin with _ or pg_, are reserved";
  return { kind: "name", why, way: "rename the table" };
}

function keyOf(table: FoundTable): TableDecision {
  const candidates = keysOf(table);
  const key = candidates.find(isKey);
  if (key !== undefined) return { key };
  const [first] = candidates;
  if (first !== undefined) {
    const hasId = table.columns.some((column) => column.name === "id");
    const way = hasId ? null : idWay(table);
    return { refused: { kind: "type", why: keyProblem(first), way } };
  }
  const primary = table.constraints.find(({ kind }) => kind === "primary");
  if (primary === undefined) {
    return { refused: { kind: "no-key", why: "no column identifies a row", way: idWay(table) } };
  }
  const why = `the primary key has ${primary.columns.length} columns`;
  return { refused: { kind: "composite-key", why, way: idWay(table) } };
}

/** The columns that identify a row by themselves: the primary key, then unique columns that are never null. */
function keysOf({ columns, constraints, indexes }: FoundTable): readonly FoundColumn[] {
  const primary = constraints.filter(({ kind }) => kind === "primary");
  const unique = indexes.filter(({ isUnique, isPartial }) => isUnique && !isPartial);
  const found = [...primary, ...unique].flatMap(({ columns: [number, ...others] }) =>
    columns.filter((column) => others.length === 0 && column.number === number),
  );
  return [...new Set(found)].filter(({ isNullable }) => !isNullable);
}

/** Statements that add an id while the table is in use: none of them rewrites it under a lock. */
function idWay(table: FoundTable): string {
  const sql = sqlTable(table);
  return [
    "add an id while the table is in use:",
    `alter table ${sql} add column id uuid;`,
    `alter table ${sql} alter column id set default gen_random_uuid();`,
    `update ${sql} set id = gen_random_uuid() where id is null;`,
    `create unique index concurrently on ${sql} (id);`,
    `alter table ${sql} alter column id set not null`,
  ].join(" ");
}

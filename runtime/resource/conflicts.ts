import { foreignKeyViolation, type Queryable, uniqueViolation } from "../db/index.js";
import { type BodyIssue, refuse } from "../errors/index.js";
import { columnOf } from "./column-of.js";
import type { Column, Table } from "./table.js";

/** Values by key, as they are to be stored. */
type Values = Readonly<Record<string, unknown>>;

/**
 * Looks up, in one statement, every value that another record holds already and every link that
 * leads nowhere. The constraints decide on a write; this only says what they would.
 */
export async function findConflicts(
  db: Queryable,
  table: Table<never>,
  values: Values,
  id: string | null,
): Promise<BodyIssue[]> {
  const parameters: unknown[] = [];
  const parameter = (value: unknown) => `$${parameters.push(value)}`;
  const checks: { readonly sql: string; readonly issue: BodyIssue }[] = [];
  for (const [key, value] of Object.entries(values)) {
    const column = columnOf(table, key);
    if (column === null || value === null) continue;
    if (column.unique !== undefined) {
      const match = column.unique.match.replaceAll("$1", parameter(value));
      const other = id === null ? "" : ` and id <> ${parameter(id)}`;
      checks.push({
        sql: `exists (select from ${table.name} where ${match}${other})`,
        issue: { path: key, message: "Another record has this value" },
      });
    }
    if (column.link !== undefined) {
      const match = column.link.match.replaceAll("$1", parameter(value));
      checks.push({ sql: `not ${match}`, issue: { path: key, message: missing(column) } });
    }
  }
  if (checks.length === 0) return [];
  const selected = checks.map(({ sql }, at) => `${sql} as c${at}`).join(", ");
  const [row] = await db.query<Record<string, boolean>>(`select ${selected}`, parameters);
  return checks.filter((_, at) => row?.[`c${at}`] === true).map(({ issue }) => issue);
}

function missing(column: Column): string {
  return column.kind === "belongsTo"
    ? "No such record"
    : "No file was uploaded to this field under this key";
}

/** 422 with all conflicts of a write that saw a unique value taken. */
export async function refuseTaken(
  db: Queryable,
  table: Table<never>,
  values: Values,
  id: string | null,
): Promise<never> {
  const issues = await findConflicts(db, table, values, id);
  if (issues.length > 0) return refuse("INVALID", { issues });
  // The other record is gone again already.
  const field = Object.keys(values).find((key) => columnOf(table, key)?.unique !== undefined);
  return refuse("TAKEN", field === undefined ? {} : { field });
}

/**
 * Turns a constraint's refusal of a write into the client's answer: 409 for a unique value that was
 * taken since the statement began, 422 with all conflicts for a link that leads nowhere. Anything else
 * is passed on.
 */
export async function refuseConflict(
  error: unknown,
  db: Queryable,
  table: Table<never>,
  values: Values,
  id: string | null,
): Promise<never> {
  const index = uniqueViolation(error);
  const constraint = index ?? foreignKeyViolation(error)?.constraint ?? null;
  const field = constraint === null ? undefined : fieldOf(table, constraint);
  if (field === undefined) throw error;
  const issues = index === null ? await findConflicts(db, table, values, id) : [];
  return issues.length > 0 ? refuse("INVALID", { issues }) : refuse("TAKEN", { field });
}

function fieldOf(table: Table<never>, constraint: string): string | undefined {
  const found = Object.entries(table.columns).find(
    ([, { unique, link }]) => unique?.index === constraint || link?.constraint === constraint,
  );
  return found?.[0];
}

import { foreignKeyViolation, isTooWide, type Queryable, uniqueViolation } from "../db/index.js";
import { type BodyIssue, refuse } from "../errors/index.js";
import { columnOf } from "./columns.js";
import type { Column, Table } from "./table.js";
import { firstField, issuesOf, isTaken, rulesOf } from "./uniques.js";

/** Values by key, as they are to be stored; of a key that is not there, the record keeps its own. */
type Values = Readonly<Record<string, unknown>>;

/** One thing to look up. */
interface Lookup {
  /** True where the value cannot be stored. */
  readonly sql: string;
  readonly issues: readonly BodyIssue[];
}

interface Attempt {
  readonly table: Table<never>;
  readonly values: Values;
  /** Of the record that is changed; null for a new one. */
  readonly id: string | null;
  /** SQL for a value. */
  parameter(value: unknown): string;
}

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
  const attempt = { table, values, id, parameter };
  const lookups = [
    ...Object.keys(values).flatMap((key) => ofField(attempt, key)),
    ...together(attempt),
  ];
  if (lookups.length === 0) return [];
  const selected = lookups.map(({ sql }, at) => `${sql} as c${at}`).join(", ");
  const [row] = await db.query<Record<string, boolean>>(`select ${selected}`, parameters);
  return lookups.filter((_, at) => row?.[`c${at}`] === true).flatMap(({ issues }) => issues);
}

function ofField(attempt: Attempt, key: string): Lookup[] {
  const { table, values, parameter } = attempt;
  const column = columnOf(table, key);
  const value = values[key];
  if (column === null || value === null) return [];
  const lookups: Lookup[] = [];
  if (column.unique !== undefined) {
    const match = column.unique.match.replaceAll("$1", parameter(value));
    lookups.push({
      sql: `exists (select from ${table.name} where ${match}${butNot(attempt)})`,
      issues: [{ path: key, message: "Another record has this value" }],
    });
  }
  if (column.link !== undefined) {
    const match = column.link.match.replaceAll("$1", parameter(value));
    lookups.push({ sql: `not ${match}`, issues: [{ path: key, message: missing(column) }] });
  }
  return lookups;
}

function missing(column: Column): string {
  return column.kind === "belongsTo"
    ? "No such record"
    : "No file was uploaded to this field under this key";
}

function together(attempt: Attempt): Lookup[] {
  const { table, values, id, parameter } = attempt;
  const stored = (key: string) =>
    `(select ${columnOf(table, key)?.name} from ${table.name} where id = ${parameter(id)})`;
  const sqlOf = (key: string) =>
    Object.hasOwn(values, key) ? parameter(values[key]) : stored(key);
  return rulesOf(table, Object.keys(values))
    .filter(({ matches }) => Object.keys(matches).every((key) => values[key] !== null))
    .map((rule) => ({
      sql: isTaken(table, rule, { sqlOf, except: butNot(attempt) }),
      issues: issuesOf(rule),
    }));
}

/** A record is no other than itself. */
function butNot({ id, parameter }: Attempt): string {
  return id === null ? "" : ` and id <> ${parameter(id)}`;
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
  const keys = Object.keys(values);
  const field =
    keys.find((key) => columnOf(table, key)?.unique !== undefined) ??
    rulesOf(table, keys).map(firstField)[0];
  return refuse("TAKEN", field === undefined ? {} : { field });
}

/**
 * Turns a constraint's refusal of a write into the client's answer: 409 for a unique value that was
 * taken since the statement began, 422 with all conflicts for a link that leads nowhere, and for values that
 * together do not fit in a row. Anything else is passed on.
 */
export async function refuseConflict(
  error: unknown,
  db: Queryable,
  table: Table<never>,
  values: Values,
  id: string | null,
): Promise<never> {
  if (isTooWide(error)) return refuse("INVALID", { issues: [tooWide(values)] });
  const index = uniqueViolation(error);
  const constraint = index ?? foreignKeyViolation(error)?.constraint ?? null;
  const field = constraint === null ? undefined : fieldOf(table, constraint);
  if (field === undefined) throw error;
  const issues = index === null ? await findConflicts(db, table, values, id) : [];
  return issues.length > 0 ? refuse("INVALID", { issues }) : refuse("TAKEN", { field });
}

/** Told of the longest value, since it is the whole that is too wide. */
function tooWide(values: Values): BodyIssue {
  const lengths = Object.entries(values).map(
    ([key, value]) => [key, String(value ?? "").length] as const,
  );
  const [path = ""] = lengths.toSorted(([, one], [, other]) => other - one)[0] ?? [];
  return { path, message: "The values of this record are too long to be stored together" };
}

/** The field that a constraint is about; the first one where it is about several. */
function fieldOf(table: Table<never>, constraint: string): string | undefined {
  const found = Object.entries(table.columns).find(
    ([, { unique, link }]) => unique?.index === constraint || link?.constraint === constraint,
  );
  const rule = table.uniques?.find(({ index }) => index === constraint);
  return found?.[0] ?? (rule === undefined ? undefined : firstField(rule));
}

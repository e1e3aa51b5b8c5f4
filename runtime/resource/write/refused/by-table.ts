import { type ConstraintRefusal, type Queryable, tableRefusal } from "../../../db/index.js";
import { type BodyIssue, refuse } from "../../../errors/index.js";
import type { Log } from "../../../own-code/index.js";
import { cellWords } from "../../../values/files/cell-words.js";
import { valueRequired } from "../../../values/rules.js";
import { unquotedTable } from "../../../values/sql/table-name.js";
import { listWords } from "../../../values/text.js";
import { keysOfColumns, plainName } from "../../table/column-keys.js";
import type { Table } from "../../table/table.js";
import { joinedLists } from "../lists/values.js";

interface Refusing {
  readonly db: Queryable;
  readonly log: Pick<Log, "warn">;
  /** The tables whose fields an error may name. */
  readonly tables: readonly Table<never>[];
}

/**
 * Translates the refusal of an app constraint or trigger.
 *
 * - A unique index, check, `not null` or foreign key: 422 at its fields; 409 with its name if it has none.
 * - An exclusion constraint: 409.
 * - `raise exception`: 422 with its text.
 * - Any other failure of a function: 409, logged.
 *
 * Rethrows any other error.
 */
export async function refuseByTable(error: unknown, { db, log, tables }: Refusing): Promise<never> {
  const refusal = tableRefusal(error);
  if (refusal === null) throw error;
  if (refusal.kind === "raised") return refuse("INVALID", { error: refusal.message });
  if (refusal.kind === "function") {
    log.warn({ err: error }, "A function or expression of the app's own tables failed in a write");
    return refuse("REFUSED", {
      error: "A function or expression of the database failed in this write",
    });
  }
  const fields = await fieldsIn(db, tables, refusal);
  if (refusal.kind === "exclusion") {
    const [field] = fields;
    return refuse("REFUSED", { error: sentences.exclusion(refusal), ...(field && { field }) });
  }
  if (fields.length === 0) return refuse("REFUSED", { error: sentences[refusal.kind](refusal) });
  return refuse("INVALID", { issues: fields.map((path) => issueOf(path, refusal, fields)) });
}

const sentences: Readonly<
  Record<ConstraintRefusal["kind"], (refusal: ConstraintRefusal) => string>
> = {
  unique: (refusal) => `Another record has the same values: unique index ${named(refusal)}`,
  check: (refusal) => `The values violate the check constraint ${named(refusal)}`,
  empty: (refusal) => `A value is required: column ${named(refusal)}`,
  exclusion: (refusal) => `Another record conflicts with this one: constraint ${named(refusal)}`,
  link: (refusal) => `The write violates the foreign key ${named(refusal)}`,
};

function named({ name, table }: ConstraintRefusal): string {
  return table === null ? `"${name}"` : `"${name}" of the table "${table}"`;
}

function issueOf(
  path: string,
  { kind, name }: ConstraintRefusal,
  fields: readonly string[],
): BodyIssue {
  if (kind === "check")
    return { path, message: `The value violates the check constraint "${name}"` };
  if (kind === "empty") return { path, message: valueRequired };
  if (kind === "link") return { path, message: cellWords.noRecord };
  return {
    path,
    message:
      fields.length === 1
        ? cellWords.taken
        : `Another record has the same ${listWords([...fields])}`,
  };
}

/** The fields of a constraint's columns, or the field of a `not null` column. */
export function constraintFields(
  db: Queryable,
  table: Table<never>,
  { kind, name }: { readonly kind: string; readonly name: string },
): Promise<readonly string[]> {
  return fieldsOf(db, table, { kind: kind === "empty" ? "empty" : "check", name, table: null });
}

/** The fields of the constraint's columns. For a domain, those of the written table if it is the only one. */
async function fieldsIn(
  db: Queryable,
  tables: readonly Table<never>[],
  refusal: ConstraintRefusal,
): Promise<readonly string[]> {
  const [only, ...others] = tables;
  if (refusal.domain !== undefined) {
    return only === undefined || others.length > 0 ? [] : fieldsOfDomain(db, only, refusal.domain);
  }
  const table = tables.find((one) => plainName(one) === refusal.table);
  if (table !== undefined) return fieldsOf(db, table, refusal);
  const list = only === undefined || refusal.table === null ? null : listIn(only, refusal.table);
  return list === null || others.length > 0 ? [] : [list];
}

/** The key of the list whose links are rows of the table, named as in descriptors; null if there is none. */
export function listIn(table: Table<never>, name: string): string | null {
  return joinedLists(table).find((list) => unquotedTable(list.table) === name)?.key ?? null;
}

async function fieldsOfDomain(
  { query }: Queryable,
  table: Table<never>,
  [schema, name]: readonly [string, string],
): Promise<readonly string[]> {
  const columns = await query<{ column: string }>(columnsOfDomain, [table.name, schema, name]);
  const keyOf = keysOfColumns(table.columns);
  return columns.flatMap(({ column }) => keyOf(column) ?? []);
}

/** The columns with a domain's type, or an array of it. */
const columnsOfDomain = `
  select attname as column
  from pg_attribute join pg_type on pg_type.oid = atttypid
  where attrelid = $1::text::regclass and attnum > 0 and not attisdropped
    and to_regtype(format('%I.%I', $2::text, $3::text)) in (atttypid, typelem)
  order by attnum`;

async function fieldsOf(
  { query }: Queryable,
  table: Table<never>,
  { kind, name }: ConstraintRefusal,
): Promise<readonly string[]> {
  const columns =
    kind === "empty"
      ? [{ column: name }]
      : await query<{ column: string }>(columnsOfConstraint, [table.name, name]);
  const keyOf = keysOfColumns(table.columns);
  return columns.flatMap(({ column }) => keyOf(column) ?? []);
}

/** The columns of the constraint or unique index with a name; for expressions, the columns that they use. */
const columnsOfConstraint = `
  with _index as (
    select indkey::int2[], indnkeyatts, indexprs::text as expressions
    from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid = $1::text::regclass and relname = $2
  )
  select attname as column
  from pg_attribute
  where attrelid = $1::text::regclass and attnum > 0 and attnum in (
    select unnest(conkey) from pg_constraint
    where conrelid = $1::text::regclass and conname = $2
    union
    select unnest(indkey[0:indnkeyatts - 1]) from _index
    union
    select found[1]::int2 from _index, regexp_matches(expressions, ':varattno ([0-9]+)', 'g') as found
  )
  order by attnum`;

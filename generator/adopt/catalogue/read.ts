import type {
  Catalogue,
  FoundColumn,
  FoundConstraint,
  FoundIndex,
  FoundTable,
  FoundTrigger,
  FoundType,
} from "./catalogue.js";
import {
  columnsSql,
  constraintsSql,
  indexesSql,
  missingSchemasSql,
  tablesSql,
  triggersSql,
} from "./statements.js";

/** Runs one statement and returns its rows. */
export type Run = (text: string, values: readonly unknown[]) => Promise<readonly unknown[]>;

/** More tables than the largest known applications have; reading 2,000 tables of 50 columns takes 30 MB. */
const maxTables = 2000;

/**
 * Reads the schemas with five statements for any number of tables; returns null if they contain more than 2,000. The
 * caller runs the statements in one `repeatable read` transaction, so that they see the same snapshot.
 */
export async function readCatalogue(
  run: Run,
  schemas: readonly string[],
): Promise<Catalogue | null> {
  const tables = (await run(tablesSql, [schemas, maxTables + 1])) as (Of & FoundTable)[];
  if (tables.length > maxTables) {
    return null;
  }
  const read = await partsOf(run, tables);
  return { tables: tables.map(({ oid, ...table }) => ({ ...table, ...read(oid) })) };
}

/** Returns the names of schemas that do not exist. */
export async function missingSchemas(
  run: Run,
  schemas: readonly string[],
): Promise<readonly string[]> {
  const rows = await run(missingSchemasSql, [schemas]);
  return (rows as readonly { readonly name: string }[]).map(({ name }) => name);
}

interface Of {
  readonly oid: number;
}

type Parts = Pick<FoundTable, "columns" | "constraints" | "indexes" | "triggers">;

async function partsOf(run: Run, tables: readonly Of[]): Promise<(oid: number) => Parts> {
  const oids = [tables.map(({ oid }) => oid)];
  const columns = byTable((await run(columnsSql, oids)) as (Of & FlatColumn)[]);
  const constraints = byTable((await run(constraintsSql, oids)) as (Of & FoundConstraint)[]);
  const indexes = byTable((await run(indexesSql, oids)) as (Of & FoundIndex)[]);
  const triggers = byTable((await run(triggersSql, oids)) as (Of & FoundTrigger)[]);
  return (oid) => ({
    columns: columns(oid).map(withType),
    constraints: constraints(oid),
    indexes: indexes(oid),
    triggers: triggers(oid),
  });
}

type FlatColumn = Omit<FoundColumn, "type"> & FoundType;

function withType(column: FlatColumn): FoundColumn {
  const { declared, base, qualified, isArray, domain, values, ...rest } = column;
  return { ...rest, type: { declared, base, qualified, isArray, domain, values } };
}

function byTable<Row extends Of>(rows: readonly Row[]): (oid: number) => Omit<Row, "oid">[] {
  const groups = new Map<number, Omit<Row, "oid">[]>();
  for (const { oid, ...row } of rows) {
    const group = groups.get(oid);
    if (group === undefined) groups.set(oid, [row]);
    else group.push(row);
  }
  return (oid) => groups.get(oid) ?? [];
}

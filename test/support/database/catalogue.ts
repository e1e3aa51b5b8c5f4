import type pg from "pg";
import {
  inRolledBackTransaction,
  qualifyNames,
  readFacts,
} from "../../../runtime/migrate/drift/facts.js";

/** Relations of the schema `service` by their names, and its routines by their object identifiers. */
export interface OwnObjects {
  readonly relations: readonly string[];
  readonly routines: readonly string[];
}

const none: OwnObjects = { relations: [], routines: [] };

/**
 * A normalised dump: what there is in the schemas `public` and `service`, a line each, sorted. Rows are
 * left out, but for the two registers of what keeps big tables quick; so is the order of columns and
 * of everything else, and what is in `without`. Needs a client that is in no transaction.
 */
export async function catalogueOf(
  client: pg.Client,
  without: OwnObjects = none,
): Promise<readonly string[]> {
  const rows = async <Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]> =>
    (await client.query(text, values && [...values])).rows;
  return inRolledBackTransaction({ query: rows }, async () => {
    await client.query(qualifyNames);
    const lines: string[] = [];
    for (const schema of ["public", "service"] as const) {
      const left = schema === "service" ? without.relations : [];
      const facts = await readFacts({ query: rows }, schema, left);
      for (const { table, object, name, definition } of facts) {
        const isUnnamed = schema === "service" && isNotNull.test(definition);
        const place = object === "table" ? object : `${object}${isUnnamed ? "" : ` ${name}`} of`;
        lines.push(`${place} ${schema}.${table}: ${definition}`);
      }
    }
    lines.push(...(await rows<Line>(functions, [without.routines])).map(({ line }) => line));
    for (const register of ["service.tallies", "service.search_indexes"]) {
      const found = await rows("select where to_regclass($1) is not null", [register]);
      if (found.length === 0) continue;
      const kept = await rows<object>(`select * from ${register}`);
      lines.push(...kept.map((row) => `row of ${register}: ${JSON.stringify(row, sortedTexts)}`));
    }
    return lines.map(withoutOrder).sort();
  });
}

/** The order of its columns does not matter to a search. */
function withoutOrder(line: string): string {
  return line.replace(/(?<=: gin \().*(?=\) WITH)/, (columns) =>
    columns.split(", ").toSorted().join(", "),
  );
}

/** As `withoutOrder`, of the register; the order of a count's column and value means something. */
function sortedTexts(key: string, value: unknown): unknown {
  return key === "columns" && Array.isArray(value) ? value.toSorted() : value;
}

/** Where PostgreSQL cuts the names of two alike, those of a tally are numbered as its columns came. */
const isNotNull = /^NOT NULL /;

interface Line {
  readonly line: string;
}

/** With their bodies and who may call them; those of extensions are left out. */
const functions = `
  select format('rights %s %s', coalesce(proacl::text, 'usual'), pg_get_functiondef(oid)) as line
  from pg_proc
  where pronamespace in (to_regnamespace('public')::oid, to_regnamespace('service')::oid)
    and prokind in ('f', 'p')
    and oid <> all ($1::oid[])
    and not exists (
      select
      from pg_depend
      where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e'
    )`;

import type { Queryable } from "../../db/index.js";
import { placeOfTable, qualifiedTable } from "../../values/sql/table-name.js";
import { searchFunction, trigramSchema } from "../session/trigrams.js";
import { type Fact, inRolledBackTransaction, qualifyNames, readFacts } from "./facts.js";

/** A table of the app as its migrations define it. Names are unquoted. */
export interface ExpectedTable {
  readonly name: string;
  /** SQL that creates a temporary copy of the table, with its checks and indexes. */
  readonly temporary: string;
  readonly links: readonly ExpectedLink[];
  /** Null if the values of the table are not counted. */
  readonly tally: {
    readonly name: string;
    /** `{"status__live": ["status", "live"], "owner": ["account_id", null]}` */
    readonly counts: Readonly<Record<string, readonly [string, string | null]>>;
  } | null;
  /** Null if the table is not searched. */
  readonly search: {
    /** The name of the first index, the only one in the register. */
    readonly name: string;
    readonly columns: readonly string[];
    readonly indexes: readonly ExpectedIndex[];
  } | null;
  /** The resource under whose name changes are logged; null if they are not logged. */
  readonly logged: string | null;
  /** The column of the ids; null for UUIDs in a column `id`. */
  readonly key: string | null;
  /** Whether deleted rows are kept in a trash. */
  readonly trash: boolean;
  /** Whether every update of a row sets `updated_at`. */
  readonly followed: boolean;
  /**
   * The triggers that index words, including those of the table's links in other tables, and those
   * that keep lists of links and their entries in sync.
   */
  readonly triggers: readonly ExpectedTrigger[];
  /** The columns that the app uses, if the table existed before the app; omitted for other tables. */
  readonly adopted?: readonly string[];
}

export interface ExpectedIndex {
  readonly name: string;
  /** SQL that creates the index on the table or its temporary copy; requires the operators of pg_trgm. */
  readonly statement: string;
}

export interface ExpectedTrigger {
  readonly table: string;
  readonly name: string;
  /** What PostgreSQL prints after the trigger's name. */
  readonly definition: string;
  /** The trigger is expected only if this function exists; omitted for an unconditional trigger. */
  readonly needs?: string;
}

/** A foreign key. */
export interface ExpectedLink {
  readonly name: string;
  readonly from: string;
  readonly schema: string;
  readonly table: string;
  readonly column: string;
  readonly onDelete: "no action" | "cascade" | "set null";
}

/**
 * Returns the facts that PostgreSQL would report about these tables. It prints expressions in its own form, so the
 * tables are created as temporary ones, invisible to other sessions, and removed again.
 */
export async function readExpected(
  db: Queryable,
  tables: readonly ExpectedTable[],
): Promise<readonly Fact[]> {
  const trigrams = await trigramSchema(db);
  const facts: Fact[] = [];
  for (let first = 0; first < tables.length; first += maxTables) {
    const some = tables.slice(first, first + maxTables);
    facts.push(...(await inRolledBackTransaction(db, () => readTableFacts(db, some, trigrams))));
  }
  return facts;
}

/**
 * Limit of tables per transaction: each takes about ten locks until it ends, and a server has a few thousand in total.
 */
const maxTables = 20;

async function readTableFacts(
  db: Queryable,
  tables: readonly ExpectedTable[],
  trigrams: string | null,
): Promise<readonly Fact[]> {
  await db.query("select set_config('search_path', concat_ws(', ', 'pg_temp', $1::text), true)", [
    trigrams,
  ]);
  const indexes = trigrams === null ? () => [] : indexesOf(await searchFunction(db));
  await db.query(tables.flatMap((table) => [table.temporary, ...indexes(table)]).join("\n"));
  await db.query(qualifyNames);
  return [
    ...(await readFacts(db, "pg_temp")),
    ...(await db.query<Fact>(otherFactsSql, [JSON.stringify(tables.map(withPlaces))])),
  ];
}

function indexesOf(searched: (definition: string) => string) {
  return ({ search }: ExpectedTable): readonly string[] =>
    (search?.indexes ?? []).map(({ statement }) => searched(statement));
}

/** Adds the table's schema, and the schemas of the tables to which it links. */
function withPlaces(table: ExpectedTable) {
  return {
    ...table,
    place: qualifiedTable(table.name),
    links: table.links.map((link) => {
      if (link.schema !== "public") return link;
      const { schema, name } = placeOfTable(link.table);
      return { ...link, schema, table: name };
    }),
  };
}

/** Facts that a temporary table cannot have. */
const otherFactsSql = `
  with expected as (
    select expected.*, (
      -- As in service.key_kind, which an older database lacks.
      select case atttypid when 'uuid'::regtype then 'uuid' when 'bpchar'::regtype then 'character' else 'key' end
      from pg_attribute where attrelid = to_regclass(place) and attname = key
    ) as kind
    from jsonb_to_recordset($1)
      as expected (name text, place text, links jsonb, tally jsonb, search jsonb, logged text, key text, trash boolean, followed boolean, triggers jsonb)
  )
  select
    expected.name as "table",
    'constraint' as object,
    link.name,
    format(
      'FOREIGN KEY (%I) REFERENCES %I.%I(%I)%s',
      "from", schema, "table", "column",
      case "onDelete" when 'no action' then '' else ' ON DELETE ' || upper("onDelete") end
    ) as definition
  from expected
  cross join lateral jsonb_to_recordset(links)
    as link (name text, "from" text, schema text, "table" text, "column" text, "onDelete" text)
  union all
  select
    expected.name,
    'trigger',
    trigger.name,
    format('AFTER %s ON %s %s EXECUTE FUNCTION service.%I()', event, expected.place, how, function)
  from expected
  cross join lateral (
    select
      tally ->> 'name' as name,
      -- Before the migration 0010_tally_moves, no table has the trigger tally_moves.
      to_regprocedure('service.moves_function(text)') is not null as is_new,
      tally -> 'counts' <> '{}' as moves
  ) as counted
  cross join lateral (
    values
      ('tally_insert', 'INSERT', 'REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT', counted.name),
      (
        case when moves or not is_new then 'tally_update' end,
        'UPDATE',
        'REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT',
        counted.name
      ),
      (
        case when moves and is_new then 'tally_moves' end,
        'UPDATE',
        'FOR EACH ROW',
        -- As service.moves_function does, which cannot be called here: before that migration there is none.
        case
          when octet_length(counted.name) <= 56 then counted.name || '__moves'
          else 'tally_moves_' || md5(counted.name)
        end
      ),
      ('tally_delete', 'DELETE', 'REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT', counted.name),
      ('tally_truncate', 'TRUNCATE', 'FOR EACH STATEMENT', counted.name)
  ) as trigger (name, event, how, function)
  where jsonb_typeof(tally) = 'object' and trigger.name is not null
  union all
  select
    expected.name,
    'trigger',
    'updated_at',
    format(
      'BEFORE UPDATE ON %s FOR EACH ROW '
        || 'WHEN ((NOT (new.updated_at IS DISTINCT FROM old.updated_at))) '
        || 'EXECUTE FUNCTION service.set_updated_at()',
      expected.place
    )
  from expected
  -- Before the migration 0016_updated_at, no table has it.
  where jsonb_typeof(tally) = 'object' and followed and to_regprocedure('service.set_updated_at()') is not null
  union all
  select
    expected.name,
    'trigger',
    trigger.name,
    format(
      'AFTER %s ON %s FOR EACH %s EXECUTE FUNCTION service.%s',
      event, expected.place, level,
      case
        when key is null or level = 'STATEMENT' then format('log_change(%L)', logged)
        else format('log_keyed_change(%L, %L, %L)', logged, key, kind)
      end
    )
  from expected
  cross join lateral (
    values
      ('change_log', case when trash then 'INSERT OR UPDATE' else 'INSERT OR DELETE OR UPDATE' end, 'ROW'),
      ('change_log_truncate', 'TRUNCATE', 'STATEMENT')
  ) as trigger (name, event, level)
  where logged is not null
  union all
  select
    name,
    'trigger',
    'A_trash',
    format(
      'AFTER DELETE ON %s REFERENCING OLD TABLE AS old_rows FOR EACH ROW EXECUTE FUNCTION service.%s', place,
      case when key is null then format('keep_deleted(%s)', coalesce(quote_literal(logged), ''))
      else format('keep_keyed(%L, %L, %L)', coalesce(logged, ''), key, kind) end
    )
  from expected
  where trash
  union all
  select trigger.table, 'trigger', trigger.name, trigger.definition
  from expected
  cross join lateral jsonb_to_recordset(triggers)
    as trigger ("table" text, name text, definition text, needs text)
  -- Before the package's migration that makes the function, no table has it.
  where trigger.needs is null or to_regprocedure(trigger.needs) is not null
  union all
  select name, 'tally', tally ->> 'name', (tally -> 'counts')::text
  from expected
  where jsonb_typeof(tally) = 'object'
  union all
  select
    name, 'search', search ->> 'name',
    (select string_agg(column_name, ', ' order by at)
     from jsonb_array_elements_text(search -> 'columns') with ordinality as one (column_name, at))
  from expected
  where jsonb_typeof(search) = 'object'`;

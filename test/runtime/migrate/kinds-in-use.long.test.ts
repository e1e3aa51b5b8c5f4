import pg from "pg";
import { expect, test } from "vitest";
import { newChangedApp, problemText, wrongCounts } from "../../support/apps/changed-app.js";
import { isThorough } from "../../support/searches.js";

/** The thorough run takes about half an hour for these. */
const rows = isThorough ? 1_000_000 : 20_000;
const patience = 3 * 60 * 60_000;

interface Kind {
  readonly field: string;
  /** The value of each row as SQL. */
  readonly value: string;
  /** SQL of a column's value as the text of a number or an id. */
  readonly read: (column: string) => string;
}

const numbers: Readonly<Record<string, Kind>> = {
  string: { field: "type: string", value: "(n % 100)::text", read: (column) => column },
  text: { field: "type: text", value: "(n % 100)::text", read: (column) => column },
  integer: {
    field: "type: number, integer: true",
    value: "n % 100",
    read: (column) => `${column}::text`,
  },
  decimal: {
    field: "type: number, decimals: 2",
    value: "n % 100",
    read: (column) => `${column}::text`,
  },
  json: { field: "type: json", value: "to_jsonb(n % 100)", read: (column) => `${column} #>> '{}'` },
  strings: {
    field: "type: string, list: true",
    value: "array[(n % 100)::text]",
    read: (column) => `${column}[1]`,
  },
  integers: {
    field: "type: number, integer: true, list: true",
    value: "array[n % 100]",
    read: (column) => `${column}[1]::text`,
  },
};

const tag = "(select id from tags order by id offset 3 limit 1)";
const ids: Readonly<Record<string, Kind>> = {
  string: { field: "type: string", value: `${tag}::text`, read: (column) => column },
  link: {
    field: "type: belongsTo, resource: tags",
    value: tag,
    read: (column) => `${column}::text`,
  },
  links: {
    field: "type: links, resource: tags",
    value: `array[${tag}]`,
    read: (column) => `${column}[1]::text`,
  },
};

/** A column that becomes another kind. */
interface Change {
  readonly column: string;
  readonly from: Kind;
  readonly to: Kind;
}

/** A table for each kind, so that no row is much wider than those of an app. */
interface Source {
  /** `number-json-things` */
  readonly resource: string;
  readonly table: string;
  readonly isOfIds: boolean;
  readonly changes: readonly Change[];
}

const sources: readonly Source[] = Object.entries({ number: numbers, id: ids }).flatMap(
  ([family, kinds]) =>
    Object.entries(kinds).map(([one, from]) => ({
      resource: `${family}-${one}-things`,
      table: `${family}_${one}_things`,
      isOfIds: kinds === ids,
      changes: Object.entries(kinds)
        .filter(([other]) => other !== one)
        .map(([other, to]) => ({ column: `as_${other}`, from, to })),
    })),
);

/** The column `as_json` is the field `asJson`. */
function fieldOf({ column }: Change): string {
  return column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function descriptors(kindOf: (change: Change) => Kind): ReadonlyMap<string, string> {
  const fieldsOf = ({ changes }: Source) =>
    changes.map((change) => `  ${fieldOf(change)}: { ${kindOf(change).field} }\n`).join("");
  return new Map([
    ["tags.yaml", "fields: { name: { type: string } }\n"],
    ...sources.map((source): [string, string] => [
      `${source.resource}.yaml`,
      `fields:\n  note: { type: string }\n  noteNumber: { type: number, integer: true }\n${fieldsOf(source)}`,
    ]),
  ]);
}

test(
  "each kind becomes each other in a million rows while they are written",
  async () => {
    const app = await newChangedApp();
    const writer = new pg.Client({ connectionString: app.target.url });
    await writer.connect();
    const stop = new AbortController();
    try {
      expect(problemText(await app.generate(descriptors(({ from }) => from)))).toBe("");
      await app.migrate();
      await app.client.query(
        "insert into tags (name) select 'Tag ' || n from generate_series(1, 10) as n",
      );
      for (const source of sources) await fill(app.client, source);
      await app.client.query("vacuum analyze");

      const consent = sources.flatMap(({ resource, changes }) =>
        changes.map((change) => `${resource}.${fieldOf(change)}`),
      );
      expect(
        problemText(
          await app.generate(
            descriptors(({ to }) => to),
            consent,
          ),
        ),
      ).toBe("");
      const written = writes(writer, await samples(app.client), stop.signal);
      const began = performance.now();
      await app.migrate();
      const seconds = (performance.now() - began) / 1000;
      stop.abort();
      const { done, longest, refused } = await written;
      process.stderr.write(
        `${consent.length} columns of ${rows} rows in ${seconds.toFixed(0)} s; ${done} writes meanwhile, the longest ${(longest / 1000).toFixed(1)} s, refused: ${JSON.stringify(refused)}\n`,
      );
      expect(done).toBeGreaterThan(0);
      expect(await wrongCounts(app.client)).toEqual([]);
      for (const { table, isOfIds, changes } of sources) {
        for (const { column, to } of changes) {
          const value = to.read(column);
          const isRight = isOfIds ? `${value} = ${tag}::text` : `(${value})::numeric = note_number`;
          const { rows: wrong } = await app.client.query(
            `select count(*)::int as wrong from ${table} where (${isRight}) is not true`,
          );
          expect([table, column, wrong]).toEqual([table, column, [{ wrong: 0 }]]);
        }
      }
    } finally {
      stop.abort();
      await writer.end();
      await app.close();
    }
  },
  patience,
);

async function fill(client: pg.Client, { table, changes }: Source): Promise<void> {
  const columns = changes.map(({ column }) => column).join(", ");
  const values = changes.map(({ from }) => from.value).join(", ");
  const batch = 50_000;
  for (let at = 0; at < rows; at += batch) {
    await client.query(
      `insert into ${table} (note_number, ${columns}) select n % 100, ${values} from generate_series($1::int, $2::int) as n`,
      [at, Math.min(at + batch, rows) - 1],
    );
  }
}

/** A row that is written while its columns change. */
interface Sample {
  readonly table: string;
  readonly id: string;
}

/** Rows of all tables, one of each in turn. */
async function samples(client: pg.Client): Promise<readonly Sample[]> {
  const each = sources.map(
    ({ table }) =>
      `(select '${table}' as table, id, row_number() over () as n from ${table} limit 50)`,
  );
  const { rows: found } = await client.query<Sample>(
    `select "table", id from (${each.join(" union all ")}) as samples order by n, "table"`,
  );
  return found;
}

interface Writes {
  readonly done: number;
  /** Milliseconds. */
  readonly longest: number;
  /** By SQL state. */
  readonly refused: Readonly<Record<string, number>>;
}

/** Writes one row after another, as a server of the former release does, until the signal. */
async function writes(
  client: pg.Client,
  of: readonly Sample[],
  signal: AbortSignal,
): Promise<Writes> {
  let [done, longest] = [0, 0];
  const refused: Record<string, number> = {};
  for (let at = 0; !signal.aborted; at += 1) {
    const began = performance.now();
    const { table, id } = of[at % of.length] as Sample;
    try {
      await client.query(`update ${table} set note = $1 where id = $2`, [`Note ${at}`, id]);
      done += 1;
    } catch (error) {
      const { code = "" } = error as { readonly code?: string };
      refused[code] = (refused[code] ?? 0) + 1;
    }
    longest = Math.max(longest, performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { done, longest, refused };
}

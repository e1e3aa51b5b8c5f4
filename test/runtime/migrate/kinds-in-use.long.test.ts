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

interface Pair {
  readonly column: string;
  readonly from: Kind;
  readonly to: Kind;
}

const pairs: readonly Pair[] = Object.entries({ number: numbers, id: ids }).flatMap(
  ([family, kinds]) =>
    Object.entries(kinds).flatMap(([one, from]) =>
      Object.entries(kinds).flatMap(([other, to]) =>
        one === other ? [] : [{ column: `${family}_${one}_${other}`, from, to }],
      ),
    ),
);

/** As a field: the column `number_string_json` is the field `numberStringJson`. */
function fieldOf({ column }: Pair): string {
  return column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

const things = (kindOf: (pair: Pair) => Kind) =>
  new Map([
    ["tags.yaml", "fields: { name: { type: string } }\n"],
    [
      "things.yaml",
      `fields:
  note: { type: string }
  noteNumber: { type: number, integer: true }
${pairs.map((pair) => `  ${fieldOf(pair)}: { ${kindOf(pair).field} }\n`).join("")}`,
    ],
  ]);

test(
  "each kind becomes each other in a million rows while they are written",
  async () => {
    const app = await newChangedApp();
    const writer = new pg.Client({ connectionString: app.target.url });
    await writer.connect();
    const stop = new AbortController();
    try {
      expect(problemText(await app.generate(things(({ from }) => from)))).toBe("");
      await app.migrate();
      await app.client.query(
        "insert into tags (name) select 'Tag ' || n from generate_series(1, 10) as n",
      );
      const columns = pairs.map(({ column }) => column).join(", ");
      const values = pairs.map(({ from }) => from.value).join(", ");
      const batch = 50_000;
      for (let at = 0; at < rows; at += batch) {
        await app.client.query(
          `insert into things (note_number, ${columns}) select n % 100, ${values} from generate_series($1::int, $2::int) as n`,
          [at, Math.min(at + batch, rows) - 1],
        );
      }
      await app.client.query("vacuum analyze");

      const consent = pairs.map((pair) => `things.${fieldOf(pair)}`);
      expect(
        problemText(
          await app.generate(
            things(({ to }) => to),
            consent,
          ),
        ),
      ).toBe("");
      const { rows: sample } = await app.client.query<{ id: string }>(
        "select id from things limit 500",
      );
      const written = writes(
        writer,
        sample.map(({ id }) => id),
        stop.signal,
      );
      const began = performance.now();
      await app.migrate();
      const seconds = (performance.now() - began) / 1000;
      stop.abort();
      const { done, longest, refused } = await written;
      process.stderr.write(
        `${pairs.length} columns of ${rows} rows in ${seconds.toFixed(0)} s; ${done} writes meanwhile, the longest ${(longest / 1000).toFixed(1)} s, refused: ${JSON.stringify(refused)}\n`,
      );
      expect(done).toBeGreaterThan(0);
      expect(await wrongCounts(app.client)).toEqual([]);
      for (const { column, to } of pairs) {
        const value = to.read(column);
        const isRight = column.startsWith("id_")
          ? `${value} = ${tag}::text`
          : `(${value})::numeric = note_number`;
        const { rows: wrong } = await app.client.query(
          `select count(*)::int as wrong from things where (${isRight}) is not true`,
        );
        expect([column, wrong]).toEqual([column, [{ wrong: 0 }]]);
      }
    } finally {
      stop.abort();
      await writer.end();
      await app.close();
    }
  },
  patience,
);

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
  of: readonly string[],
  signal: AbortSignal,
): Promise<Writes> {
  let [done, longest] = [0, 0];
  const refused: Record<string, number> = {};
  for (let at = 0; !signal.aborted; at += 1) {
    const began = performance.now();
    try {
      await client.query("update things set note = $1 where id = $2", [
        `Note ${at}`,
        of[at % of.length],
      ]);
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

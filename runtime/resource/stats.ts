import type { Read, Row } from "../http/index.js";
import { Parameters } from "./parameters.js";
import { checkPolicy } from "./policy.js";
import { type CountedColumn, columnOf, type Table } from "./table.js";
import { allRows, countedValues, sumOf } from "./total.js";

const defaultDays = 7;
const maxDays = 365;

/** `GET /<resource>/_stats`: 200 `{ total, current, previous, values }`. */
export function countRecords<Values>(table: Table<Values>): Read {
  return ({ query }) => {
    const { days, field } = readStatsParameters(table, query);
    const counted = field === null ? [] : countedValues(field);
    return {
      text: statement(table, field),
      values: [days, ...(uncountedOf(field) === null ? [] : counted)],
      via: "query",
      resource: table.resource,
      answer: async (row, asked) => {
        await checkPolicy(asked, table, "stats");
        return { status: 200, json: statsJson(row, counted) };
      },
    };
  };
}

function statsJson(row: Row, counted: readonly string[]): string {
  const { total, current, previous } = row;
  // Written by hand: an object would reorder number-like values and lose one named "__proto__".
  const values = counted.map((value, at) => `${JSON.stringify(value)}:${row[`value_${at}`]}`);
  return `{"total":${total},"current":${current},"previous":${previous},"values":{${values.join(",")}}}`;
}

function readStatsParameters<Values>(table: Table<Values>, query: string) {
  const parameters = new Parameters(query);
  const days = parameters.takeInteger("days", { min: 1, max: maxDays, default: defaultDays });
  const name = parameters.take("field");
  const field = name === undefined ? null : countable(table, name);
  if (name !== undefined && field === null) {
    parameters.reject("field", "Must name an enum or boolean field");
  }
  parameters.finish();
  return { days, field };
}

function countable<Values>(table: Table<Values>, name: string): CountedColumn | null {
  const column = columnOf(table, name);
  return column?.kind === "enum" || column?.kind === "boolean" ? column : null;
}

/** The field, if the tally does not count its values. */
function uncountedOf(field: CountedColumn | null): CountedColumn | null {
  return field?.counts === undefined ? field : null;
}

/** The tally has all numbers but those of the periods, which are counted in the index of `created_at`. */
function statement<Values>(table: Table<Values>, field: CountedColumn | null): string {
  const uncounted = uncountedOf(field);
  const kept = field?.counts?.map((count, at) => `, ${sumOf(count)} as value_${at}`) ?? [];
  return `
    select
      _tally.*,
      (
        select count(*)
        from ${table.name}
        where created_at > now() - make_interval(hours => 24 * $1)
      ) as current,
      (
        select count(*)
        from ${table.name}
        where created_at <= now() - make_interval(hours => 24 * $1)
          and created_at > now() - make_interval(hours => 48 * $1)
      ) as previous${uncounted === null ? "" : ", _values.*"}
    from (select ${sumOf(allRows)} as total${kept.join("")} from ${table.tally}) as _tally
    ${uncounted === null ? "" : `cross join (${countOfValues(table, uncounted)}) as _values`}`;
}

/** Reads the whole table; the values are parameters from `$2` on. */
function countOfValues<Values>(table: Table<Values>, field: CountedColumn): string {
  const counts = countedValues(field).map(
    (_, at) => `count(*) filter (where ${field.name} = $${at + 2}) as value_${at}`,
  );
  return `select ${counts.join(", ")} from ${table.name}`;
}

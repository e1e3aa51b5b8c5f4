import type { Read, Row } from "../http/index.js";
import { columnOf } from "./column-of.js";
import { Parameters } from "./parameters.js";
import { checkPolicy } from "./policy.js";
import type { Column, Table } from "./table.js";

const defaultDays = 7;
const maxDays = 365;

/** `GET /<resource>/_stats`: 200 `{ total, current, previous, values }`. */
export function countRecords<Values>(table: Table<Values>): Read {
  return ({ query }) => {
    const { days, field } = readStatsParameters(table, query);
    const counted = countedValues(field);
    return {
      text: statement(table, field, counted),
      values: [days, ...counted],
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

function countable<Values>(table: Table<Values>, name: string): Column | null {
  const column = columnOf(table, name);
  return column?.kind === "enum" || column?.kind === "boolean" ? column : null;
}

function countedValues(field: Column | null): readonly string[] {
  if (field === null) return [];
  return field.kind === "enum" ? field.values : ["true", "false"];
}

function statement<Values>(
  table: Table<Values>,
  field: Column | null,
  counted: readonly string[],
): string {
  const cast = field?.kind === "boolean" ? "::boolean" : "";
  const counts = counted.map(
    (_, at) => `,
      count(*) filter (where ${field?.name} = $${at + 2}${cast}) as value_${at}`,
  );
  return `
    select
      count(*) as total,
      count(*) filter (where created_at > now() - make_interval(hours => 24 * $1)) as current,
      count(*) filter (
        where created_at <= now() - make_interval(hours => 24 * $1)
          and created_at > now() - make_interval(hours => 48 * $1)
      ) as previous${counts.join("")}
    from ${table.name}`;
}

import type { Access } from "../db/index.js";
import { refuse } from "../errors/index.js";
import type { Answer, Context, Read } from "../http/index.js";
import { isUuid } from "../values/uuid.js";
import { Parameters } from "./parameters.js";
import { checkPolicy, hasPolicy } from "./policy.js";
import { readShownRecord } from "./question/shown-fields.js";
import type { Table } from "./table.js";

/** `GET /<resource>/:id`: 200 with the record, or 404; `fields` asks for a part of it. */
export function getRecord<Values>(table: Table<Values>): Read {
  return (context) => {
    const id = idOf(context);
    const shown = context.query === "" ? null : readShown(table, context.query);
    return {
      text: shown === null ? table.queries.get : statementOf(table, shown),
      values: [id],
      // Records in part come in too many shapes to be prepared.
      via: shown === null ? "lookUp" : "search",
      resource: table.resource,
      answer: async ({ json, shown: part = null }, answered) => {
        const record = json ?? refuse("NOT_FOUND");
        if (hasPolicy(answered, table, "get")) {
          await checkPolicy(answered, table, "get", JSON.parse(record));
        }
        return answerRecord(part ?? record);
      },
    };
  };
}

/** A policy judges the whole record, whatever is shown of it. */
function statementOf<Values>({ name, queries }: Table<Values>, shown: string): string {
  return `select ${queries.record} as json, ${shown} as shown from ${name} where id = $1`;
}

/** SQL for what `fields` asks for; refuses what only a list takes. */
function readShown<Values>(table: Table<Values>, query: string): string | null {
  const parameters = new Parameters(query);
  const shown = readShownRecord(table, parameters);
  for (const { param } of parameters.takeFilters()) parameters.reject(param, forLists);
  for (const name of listParameters) {
    if (parameters.take(name) !== undefined) parameters.reject(name, forLists);
  }
  parameters.finish({ ignoreUnknown: true });
  return shown;
}

const listParameters = ["page", "perPage", "sort", "q", "where"];
const forLists = "Is for lists";

/** The path's id; 404 for what is not a UUID. */
export function idOf({ params }: Context): string {
  const id = params.id ?? "";
  return isUuid(id) ? id : refuse("NOT_FOUND");
}

/** The database, within the share of connections that this resource may use. */
export function accessOf({ services }: Context, { resource }: Table<never>): Access {
  return services.db.ofResource(resource);
}

/** What records are read through: the database, or a transaction. */
export type Reader = Pick<Access, "query" | "lookUp">;

/** The record as JSON text; 404 when there is none. */
export async function storedRecord(
  reader: Reader,
  table: Table<never>,
  id: string,
): Promise<string> {
  const [row] = await reader.lookUp<{ json: string }>(table.queries.get, [id]);
  return row?.json ?? refuse("NOT_FOUND");
}

export function answerRecord(json: string): Answer {
  return { status: 200, json };
}

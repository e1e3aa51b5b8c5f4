import type { Access } from "../db/index.js";
import { refuse } from "../errors/index.js";
import type { Answer, Context, Read } from "../http/index.js";
import { isUuid } from "../values/uuid.js";
import { checkPolicy, hasPolicy } from "./policy.js";
import type { Table } from "./table.js";

/** `GET /<resource>/:id`: 200 with the record, or 404. */
export function getRecord<Values>(table: Table<Values>): Read {
  return (context) => ({
    text: table.queries.get,
    values: [idOf(context)],
    via: "lookUp",
    resource: table.resource,
    answer: async ({ json }, answered) => {
      const record = json ?? refuse("NOT_FOUND");
      if (hasPolicy(answered, table, "get")) {
        await checkPolicy(answered, table, "get", JSON.parse(record));
      }
      return answerRecord(record);
    },
  });
}

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

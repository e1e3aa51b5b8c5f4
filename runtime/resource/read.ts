import { refuse } from "../errors/index.js";
import type { Answer, Context, Read } from "../http/index.js";
import { isUuid } from "./fields.js";
import { checkRecordPolicy } from "./policy.js";
import type { Table } from "./table.js";

/** `GET /<resource>/:id`: 200 with the record, or 404. */
export function getRecord<Values>(table: Table<Values>): Read {
  return (context) => ({
    text: table.get,
    values: [idOf(context)],
    via: "lookUp",
    answer: async ({ json }, asked) => {
      const record = json ?? refuse("NOT_FOUND");
      await checkRecordPolicy(asked, table, "get", record);
      return answerRecord(record);
    },
  });
}

/** The path's id; one that is no UUID names no record. */
export function idOf({ params }: Context): string {
  const id = params.id ?? "";
  return isUuid(id) ? id : refuse("NOT_FOUND");
}

/** The record as JSON text; 404 when there is none. */
export async function storedRecord<Values>(
  { services }: Context,
  table: Table<Values>,
  id: string,
): Promise<string> {
  const [row] = await services.db.lookUp<{ json: string }>(table.get, [id]);
  return row?.json ?? refuse("NOT_FOUND");
}

export function answerRecord(json: string): Answer {
  return { status: 200, json };
}

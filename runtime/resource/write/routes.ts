import { v7 as uuid } from "uuid";
import {
  type Answer,
  type Context,
  type Handle,
  ifMatchOf,
  readBytes,
  readJsonBody,
  refusePreconditions,
} from "../../http/index.js";
import type { KeptAnswer } from "../idempotency/kept-answers.js";
import { idempotencyKeyOf } from "../idempotency/key.js";
import { recallRecord } from "../idempotency/recall.js";
import { showAgain } from "../idempotency/show.js";
import { checkGuard, isGuarded } from "../own-code/guard.js";
import { idOf } from "../record/read.js";
import { tagOf } from "../record/tag.js";
import { idAlone } from "../rights/writable.js";
import { hasAmount } from "../table/amounts.js";
import { isValid } from "../table/body.js";
import type { AnyShape } from "../table/definition.js";
import type { Table } from "../table/table.js";
import { additionWait } from "./add.js";
import { answerWrite } from "./answer.js";
import { callerToCheck, changeOf, createOf, deleteOf } from "./make.js";
import type { Write, Written } from "./operation.js";

/** `POST /<resource>`: 201 with the record and its `Location`. */
export function createRecord(table: Table<never>, shape: AnyShape): Handle {
  return async (context) => {
    refusePreconditions(context.request);
    return answerTo(context, table, readJsonBody, (body) => {
      return createOf(table, shape, { caller: callerToCheck(context), id: uuid(), values: body });
    });
  };
}

/** `PUT /<resource>/:id`: 200 with the record; an optional field left out is cleared. */
export function replaceRecord(table: Table<never>, shape: AnyShape): Handle {
  return async (context) => {
    const ifMatch = ifMatchOf(context.request);
    return answerTo(context, table, readJsonBody, (body) => {
      const target = { caller: callerToCheck(context), id: idOf(context), ifMatch };
      return changeOf("replace", table, shape, { ...target, values: body });
    });
  };
}

/** `PATCH /<resource>/:id`: 200 with the record; only the fields sent are checked and changed. */
export function updateRecord(table: Table<never>, shape: AnyShape): Handle {
  return async (context) => {
    const ifMatch = ifMatchOf(context.request);
    return answerTo(context, table, readJsonBody, (body) => {
      const target = { caller: callerToCheck(context), id: idOf(context), ifMatch };
      return changeOf("update", table, shape, { ...target, values: body });
    });
  };
}

/**
 * `DELETE /<resource>/:id`: 204. Foreign keys clear optional links to the record, and `onDelete: cascade` deletes
 * records with required ones; 409 lists the number of records that prevent it.
 */
export function deleteRecord<Values>(table: Table<Values>): Handle {
  return async (context) => {
    const ifMatch = ifMatchOf(context.request);
    return answerTo(context, table, noBody, () => {
      return deleteOf(table, { caller: callerToCheck(context), id: idOf(context), ifMatch });
    });
  };
}

interface Body<Value> {
  readonly value: Value;
  readonly bytes: Uint8Array;
}

/** Reads the body, and answers with the stored record. */
async function answerTo<Value>(
  context: Context,
  table: Table<never>,
  read: (context: Context) => Promise<Body<Value>>,
  writeOf: (body: Value) => Write,
): Promise<Answer> {
  const key = idempotencyKeyOf(context);
  const { value, bytes } = await read(context);
  return answerWrite(context, table, {
    ...{ key, bytes, make: () => writeOf(value) },
    before: isGuarded(context, table) ? (write) => judgeByGuard(context, write) : undefined,
    answer: (written) => answerOf(context, table, written),
    replay: {
      show: (json) => showAgain(context, table, json),
      recall: (kept) => recallRecord(context, table, { id: recordIdOf(context, kept), kept }),
    },
    waitMs: hasAmount(value) ? additionWait.waitMs : undefined,
  });
}

/** Asks the app's guard about a create without a token; what is malformed is refused without it. */
async function judgeByGuard(context: Context, write: Write): Promise<void> {
  if (write.kind !== "create" || !isValid(write.checked)) return;
  await checkGuard(context, write.table, Object.freeze({ ...write.checked.values }));
}

/** The id in the path, or of the created record. */
function recordIdOf({ params }: Context, { location }: Pick<KeptAnswer, "location">): string {
  return params.id ?? location?.split("/").at(-1) ?? "";
}

async function noBody(context: Context): Promise<Body<null>> {
  const bytes =
    context.request.headers["idempotency-key"] === undefined ? empty : await readBytes(context);
  return { value: null, bytes };
}

const empty = new Uint8Array();

function answerOf(
  { params }: Context,
  { resource }: Table<never>,
  { id, record }: Written,
): Answer {
  if (record === null) return { status: 204, json: null };
  const { json } = record;
  // An anonymous caller who may not get the record.
  if (json === idAlone(id)) return { status: 201, json };
  const etag = tagOf(record);
  // Only a new record has no id in its path.
  if (params.id !== undefined) return { status: 200, json, headers: { etag } };
  return { status: 201, json, headers: { location: `/api/${resource}/${id}`, etag } };
}

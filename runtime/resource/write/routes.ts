import {
  type Answer,
  type Context,
  ifMatchOf,
  isAllowed,
  type JsonObject,
  Parameters,
  readBytes,
  readJsonBody,
  refuseByRule,
  refusePreconditions,
  takesQuery,
} from "../../http/index.js";
import { idSegment } from "../../values/schema/id-types.js";
import type { Repeated } from "../idempotency/kept-answers.js";
import { idempotencyKeyOf, keyedRequest } from "../idempotency/key.js";
import type { WriteHandle } from "../idempotency/repeat.js";
import { checkGuard, isGuarded } from "../own-code/guard.js";
import { idOf } from "../record/read.js";
import { tagOf } from "../record/tag.js";
import { idAlone } from "../rights/writable.js";
import { hasAmount } from "../table/amounts.js";
import { isValid } from "../table/body.js";
import type { AnyShape } from "../table/definition.js";
import { purgeRule } from "../table/rule.js";
import type { Table } from "../table/table.js";
import { additionWait } from "./add.js";
import { faultsIn, markedValues } from "./json-text.js";
import {
  callerToCheck,
  createOf,
  deleteOf,
  purgeOf,
  replaceOf,
  restoreOf,
  updateOf,
} from "./make.js";
import type { Write, Written } from "./operation.js";
import { answerWrite, type WriteRequest } from "./run.js";

/** `POST /<resource>`: 201 with the record and its `Location`. */
export function createRecord(table: Table<never>, shape: AnyShape): WriteHandle {
  return async (context) => {
    refusePreconditions(context.request);
    return answerToBody(context, table, (values) =>
      createOf(table, shape, { caller: callerToCheck(context), values }),
    );
  };
}

/** `PUT /<resource>/:id`: 200 with the record; optional fields missing from the body are cleared. */
export function replaceRecord(table: Table<never>, shape: AnyShape): WriteHandle {
  return async (context) => {
    const ifMatch = ifMatchOf(context.request);
    return answerToBody(context, table, (values) =>
      replaceOf(table, shape, { ...targetOf(table, context), ifMatch, values }),
    );
  };
}

/** `PATCH /<resource>/:id`: 200 with the record; only fields in the body are checked and changed. */
export function updateRecord(table: Table<never>, shape: AnyShape): WriteHandle {
  return async (context) => {
    const ifMatch = ifMatchOf(context.request);
    return answerToBody(context, table, (values) =>
      updateOf(table, shape, { ...targetOf(table, context), ifMatch, values }),
    );
  };
}

/**
 * `DELETE /<resource>/:id`: 204. Foreign keys clear optional links to the record, and `onDelete: cascade` deletes
 * records with required ones; a 409 lists how many records prevent the delete.
 */
export function deleteRecord<Values>(table: Table<Values>): WriteHandle {
  if (table.trash !== undefined) return takesQuery((context) => deleteKept(context, table));
  return async (context) => {
    const ifMatch = ifMatchOf(context.request);
    return answerWithoutBody(context, table, () =>
      deleteOf(table, { ...targetOf(table, context), ifMatch }),
    );
  };
}

/** `DELETE /<resource>/:id` with a trash: moves the record there, or deletes it permanently with `trash=skip`. */
async function deleteKept(context: Context, table: Table<never>): Promise<Answer | Repeated> {
  const parameters = new Parameters(context.query);
  const trash = parameters.take("trash");
  if (trash !== undefined && trash !== "skip") parameters.reject("trash", 'Must be "skip"');
  parameters.finish();
  const rule = trash === undefined ? table.access.delete : purgeRule(table);
  const caller = callerToCheck(context);
  if (caller !== null && !isAllowed(caller, rule)) refuseByRule(caller, rule);
  const ifMatch = ifMatchOf(context.request);
  return answerWithoutBody(context, table, () => {
    const sent = { ...targetOf(table, context), ifMatch };
    return trash === undefined ? deleteOf(table, sent) : purgeOf(table, sent);
  });
}

/** `POST /<resource>/:id/_restore`: 200 with the record; everything that was deleted with it is restored too. */
export function restoreRecord(table: Table<never>): WriteHandle {
  return async (context) => {
    refusePreconditions(context.request);
    return answerWithoutBody(context, table, () => restoreOf(table, targetOf(table, context)));
  };
}

/** Handles a route without a body, which is read only to compare requests with the same idempotency key. */
async function answerWithoutBody(
  context: Context,
  table: Table<never>,
  make: () => Write,
): Promise<Answer | Repeated> {
  const key = idempotencyKeyOf(context);
  const keyed = key === null ? null : keyedRequest(context, key, await readBytes(context));
  return answerTo(context, table, { keyed, make });
}

/** The caller and the id in the path. */
function targetOf(table: Table<never>, context: Context) {
  return { caller: callerToCheck(context), id: idOf(table, context) };
}

/** Reads the body, runs the write, and responds with the stored record. */
async function answerToBody(
  context: Context,
  table: Table<never>,
  writeOf: (body: JsonObject) => Write,
): Promise<Answer | Repeated> {
  const key = idempotencyKeyOf(context);
  const { value, bytes } = await readJsonBody(context);
  const waitMs = hasAmount(value) ? additionWait.waitMs : undefined;
  const make = () => writeOf(markedValues(table, value, { faults: faultsIn(bytes) }));
  const keyed = key === null ? null : keyedRequest(context, key, bytes);
  return answerTo(context, table, { keyed, make, waitMs });
}

function answerTo(
  context: Context,
  table: Table<never>,
  sent: Pick<WriteRequest, "keyed" | "make" | "waitMs">,
): Promise<Answer | Repeated> {
  return answerWrite(context, table, {
    ...sent,
    guard: isGuarded(context, table) ? (write) => askGuard(context, write) : undefined,
    answer: (written) => answerOf(context, table, written),
  });
}

/** Runs the app's guard for an anonymous create. Malformed bodies are refused first. */
async function askGuard(context: Context, write: Write): Promise<void> {
  if (write.kind !== "create" || !isValid(write.checked)) return;
  await checkGuard(context, write.table, Object.freeze({ ...write.checked.values }));
}

function answerOf(
  { params }: Context,
  { resource }: Table<never>,
  { id, record }: Written,
): Answer {
  if (record === null) return { status: 204, json: null };
  const { json } = record;
  // The caller is anonymous and may not get the record.
  if (json === idAlone(id)) return { status: 201, json };
  const etag = tagOf(record);
  // Only creates have no id in the path.
  if (params.id !== undefined) return { status: 200, json, headers: { etag } };
  return { status: 201, json, headers: { location: `/api/${resource}/${idSegment(id)}`, etag } };
}

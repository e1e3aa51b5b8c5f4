import { z } from "zod";
import { accept } from "../../auth/index.js";
import { Refusal, refuse } from "../../errors/index.js";
import {
  type Answer,
  type Context,
  ifMatchOf,
  isAllowed,
  readJsonBody,
  refuseByRule,
  refusePreconditions,
} from "../../http/index.js";
import type { Caller } from "../../own-code/index.js";
import {
  answerOrReplay,
  answerWrite,
  createOf,
  fieldKeys,
  fieldRights,
  idEquals,
  idempotencyKeyOf,
  inTrash,
  keyedRequest,
  keysOfColumns,
  plainValues,
  type Replay,
  type ResourceDefinition,
  recallRecord,
  replaceOf,
  showAgain,
  type Table,
  tagOf,
  type Write,
  type Written,
} from "../../resource/index.js";
import { rowOf, withImages } from "../log/images.js";
import { numbersOf } from "./entries.js";
import type { KnownRecord } from "./right.js";

const error = "Must be an entry of this record's history after which it existed";
const bodyShape = z.strictObject({ to: z.string({ error }).regex(/^\d{1,18}$/, { error }) });
/** Maximum size in bytes. */
const maxBodyBytes = 1_024;

/**
 * Writes the values that the record had right after an entry, with the same checks as a PUT by the caller. A deleted
 * record is created again with its id. `known` is null if there is no history for the caller.
 */
export async function revert(
  context: Context,
  definition: ResourceDefinition,
  known: (KnownRecord & { readonly id: string }) | null,
): Promise<Answer> {
  if (known !== null) {
    const rule = known.isLiving ? definition.access.update : definition.access.create;
    if (!isAllowed(known.caller, rule)) refuseByRule(known.caller, rule);
  }
  // As with every write, an unreadable body is refused before a missing record.
  if (known?.isLiving === false) refusePreconditions(context.request);
  const ifMatch = ifMatchOf(context.request);
  const key = idempotencyKeyOf(context);
  const { value, bytes } = await readJsonBody(context, maxBodyBytes);
  if (known === null) return refuse("NOT_FOUND");

  const { id, caller, isLiving } = known;
  const { table, shapes } = definition;
  const { to } = accept(bodyShape, value);
  if (!isLiving) await refuseInTrash(context, table, id);
  const image = await imageAfter(context, definition, { id, isLiving, entry: to });
  if (image === null) return refuse("INVALID", { issues: [{ path: "to", message: error }] });
  const { values, skipped } = valuesOf(definition, image, caller);
  const sent = { caller, id, values, isReverted: true } as const;
  const make = (): Write =>
    isLiving
      ? replaceOf(table, shapes.replace, { ...sent, ifMatch })
      : createOf(table, shapes.create, sent);
  const answer = (written: Written) => answerOf(written, JSON.stringify(skipped));
  try {
    const keyed = key === null ? null : keyedRequest(context, key, bytes);
    const answered = await answerWrite(context, table, { keyed, make, answer });
    return await answerOrReplay(answered, replayOf(context, table, id));
  } catch (error) {
    // Another caller has created the record again, so the conflict is with the record itself.
    if (isLiving || !isTaken(error) || !(await isThere(context, table, id))) throw error;
    return refuse("REFUSED", { error: "The record has just been created again" });
  }
}

/**
 * Refuses a record in the trash: it must be restored, with everything that was deleted with it, and not created again.
 */
async function refuseInTrash(
  { services }: Context,
  table: Table<never>,
  id: string,
): Promise<void> {
  if (table.trash === undefined) return;
  const rows = await services.db.query(`select where ${inTrash(table, "$1")}`, [id]);
  if (rows.length > 0) refuse("REFUSED", { error: "The record is in the trash: restore it" });
}

function isTaken(error: unknown): boolean {
  if (!(error instanceof Refusal)) return false;
  const { code, issues = [] } = error;
  return code === "TAKEN" || issues.some((issue) => "path" in issue && issue.path === "id");
}

async function isThere({ services }: Context, table: Table<never>, id: string): Promise<boolean> {
  const found = `select from ${table.name} where ${idEquals(table, "$1")}`;
  const rows = await services.db.query(found, [id]);
  return rows.length > 0;
}

/** The start of a response, and the part that follows the record. */
const head = '{"record":';
const middle = ',"skipped":';

/** `skipped` is JSON, stored with the response in case its body is dropped. */
function answerOf({ record }: Written, skipped: string): Answer & { readonly outcomes: string } {
  if (record === null) return refuse("NOT_FOUND");
  const json = `${head}${record.json}${middle}${skipped}}`;
  return { status: 200, json, headers: { etag: tagOf(record) }, outcomes: skipped };
}

function replayOf(context: Context, table: Table<never>, id: string): Replay {
  return {
    async show(json) {
      // Field names contain no quotes.
      const end = json.lastIndexOf(middle);
      const record = await showAgain(context, table, json.slice(head.length, end));
      return `${head}${record}${json.slice(end)}`;
    },
    async recall(kept) {
      const { json, etag } = await recallRecord(context, table, { id, kept });
      return { json: `${head}${json}${middle}${kept.outcomes ?? "[]"}}`, etag };
    },
  };
}

interface Image {
  readonly json: string;
  /** The columns of the table at that time. */
  readonly columns: readonly string[];
  /** Whether the record still exists. In that case, newer fields keep their current values. */
  readonly isLiving: boolean;
}

interface Target {
  readonly id: string;
  readonly isLiving: boolean;
  readonly entry: string;
}

/**
 * Returns the row right after the entry; null if there was none, or the record has no such entry. Newer columns have
 * their current values.
 */
async function imageAfter(
  { services }: Context,
  { table }: ResourceDefinition,
  { id, isLiving, entry }: Target,
): Promise<Image | null> {
  const record = plainValues(table, fieldKeys(table.columns));
  const only = numbersOf(table, "and n = $5::bigint");
  const present = `(select to_jsonb(_row) from ${table.name} as _row where _row.${idEquals(table, "$2")})`;
  const image = isLiving ? `${present} || _image.after` : "_image.after";
  const row = rowOf(table, image);
  const [found] = await services.db.query<Omit<Image, "isLiving">>(
    `select (select ${row.on(record)} from ${row.from}) as json,
       array(select jsonb_object_keys(_image.after)) as columns
     from ${withImages(table, only)} as _image
     where _image.after is not null`,
    [table.resource, id, table.changes?.history ?? 0, 1, entry],
  );
  return found === undefined ? null : { ...found, isLiving };
}

interface Reverted {
  readonly values: Readonly<Record<string, never>>;
  /** Fields that the resource no longer has. */
  readonly skipped: readonly string[];
}

/** Returns the values that the caller may write. If the record is created again, newer fields are omitted. */
function valuesOf(
  { table }: ResourceDefinition,
  { json, columns, isLiving }: Image,
  caller: Caller,
): Reverted {
  const keyOf = keysOfColumns(table.columns);
  const known = new Set(columns.map(keyOf));
  const stored: Readonly<Record<string, never>> = JSON.parse(json);
  const sent = Object.entries(stored).filter(([key]) => {
    return fieldRights(table, key, caller).writable && (isLiving || known.has(key));
  });
  const gone = columns.filter((column) => keyOf(column) === null);
  return { values: Object.fromEntries(sent), skipped: gone.map(fieldOf) };
}

/** Returns the field that the column belonged to: `sold_out_at` → `soldOutAt`. */
function fieldOf(column: string): string {
  const [first = "", ...rest] = column.split("_");
  return first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

import { v7 as uuid } from "uuid";
import { refuse } from "../errors/index.js";
import { type Answer, type Context, type Handle, readJson } from "../http/index.js";
import { type CheckedBody, checkSent, checkWhole, isValid, refuseBody } from "./body.js";
import { findConflicts } from "./conflicts.js";
import type { Shape } from "./fields.js";
import { checkPolicy, hasPolicy } from "./policy.js";
import { writeWithPolicy } from "./policy-write.js";
import { accessOf, answerRecord, idOf, type Reader, storedRecord } from "./read.js";
import { refuseConflict, refuseTaken } from "./refuse-conflict.js";
import { columnOf, columnValues, type Table } from "./table.js";
import { isTaken, rulesOf } from "./uniques.js";

/** `POST /<resource>`: 201 with the record and its `Location`. */
export function createRecord<Values extends object>(
  table: Table<Values>,
  shape: Shape<Values>,
): Handle {
  return async (context) => {
    const checked = checkWhole(shape, await readJson(context));
    const values = await validValues(context, table, checked, { id: null, action: "create" });
    await checkPolicy(context, table, "create", values);
    const access = accessOf(context, table);
    await refuseUnknownFiles(access, table, values, null);
    const id = uuid();
    const json = await write(access, table, {
      id: null,
      values,
      text: table.queries.insert,
      parameters: [id, ...columnValues(table, values)],
    }).catch((error: unknown) => refuseConflict(error, access, table, { ...values }, null));
    return { status: 201, json, headers: { location: `/api/${table.resource}/${id}` } };
  };
}

/** `PUT /<resource>/:id`: 200 with the record; an optional field left out is cleared. */
export function replaceRecord<Values extends object>(
  table: Table<Values>,
  shape: Shape<Values>,
): Handle {
  return async (context) => {
    const checked = checkWhole(shape, await readJson(context));
    return changeRecord(context, table, checked, (values) => ({
      text: table.queries.replace,
      parameters: columnValues(table, values),
    }));
  };
}

/** `PATCH /<resource>/:id`: 200 with the record; only what is sent is checked and changed. */
export function updateRecord<Values extends object>(
  table: Table<Values>,
  shape: Shape<Values>,
): Handle {
  return async (context) => {
    const checked = checkSent(shape, await readJson(context));
    return changeRecord(context, table, checked, (values) => {
      const keys = Object.keys(values);
      if (keys.length === 0) return null;
      return { text: updateStatement(table, keys), parameters: Object.values(values) };
    });
  };
}

/** Changes a stored record by a statement whose `$1` is the id; without a statement the record stays as it is. */
async function changeRecord<Sent extends object>(
  context: Context,
  table: Table<never>,
  checked: CheckedBody<Sent>,
  statementOf: (values: Sent) => Statement | null,
): Promise<Answer> {
  const id = idOf(context);
  const values = await validValues(context, table, checked, { id, action: "update" });
  const statement = statementOf(values);
  const json = await writeWithPolicy(context, table, {
    id,
    action: "update",
    about: [values],
    async write(reader) {
      if (statement === null) return storedRecord(reader, table, id);
      await refuseUnknownFiles(reader, table, values, id);
      const { text, parameters } = statement;
      return write(reader, table, { id, values, text, parameters: [id, ...parameters] });
    },
    // The failed write has returned its connection: the conflicts are looked up on another.
  }).catch((error: unknown) =>
    refuseConflict(error, accessOf(context, table), table, { ...values }, id),
  );
  return answerRecord(json);
}

/**
 * The statement of a PATCH: like the emitted `replace`, for some of the fields. `$1` is the id, then their
 * values. Rules on several fields use the stored values of those that were not sent.
 */
function updateStatement(table: Table<never>, keys: readonly string[]): string {
  const columns = keys.flatMap((key) => columnOf(table, key) ?? []);
  const set = columns.map(({ name }, at) => `${name} = $${at + 2}`);
  const untaken = columns.flatMap(({ unique }, at) => {
    const match = unique?.match.replaceAll("$1", `$${at + 2}`);
    const taken = `select from ${table.name} where ${match} and id <> $1`;
    return match === undefined ? [] : [`and not exists (${taken})`];
  });
  const sqlOf = (key: string) => {
    const at = keys.indexOf(key);
    return at < 0 ? `${table.name}.${columnOf(table, key)?.name}` : `$${at + 2}`;
  };
  const untakenTogether = rulesOf(table, keys).map(
    (rule) => `and not ${isTaken(table, rule, { sqlOf, except: " and id <> $1" })}`,
  );
  return `
      update ${table.name}
      set ${set.join(", ")}, updated_at = greatest(now(), updated_at + interval '1 millisecond')
      where id = $1 ${[...untaken, ...untakenTogether].join(" ")}
      returning ${table.queries.record} as json`;
}

interface WriteTarget {
  /** The id of the record that is changed; null for a new one. */
  readonly id: string | null;
  readonly action: "create" | "update";
}

/**
 * The body's values, frozen, when they are valid in themselves; else 422, and 404 before that. Conflicts
 * with other records are listed with the 422, unless a policy has not yet decided about the write: callers
 * whom it refuses learn nothing of other records.
 */
async function validValues<Sent extends object>(
  context: Context,
  table: Table<never>,
  checked: CheckedBody<Sent>,
  { id, action }: WriteTarget,
): Promise<Readonly<Sent>> {
  const { values } = checked;
  if (isValid(checked)) return Object.freeze(values as Sent);
  const access = accessOf(context, table);
  if (id !== null) await storedRecord(access, table, id);
  if (hasPolicy(context, table, action)) return refuseBody(checked, []);
  // No other record can hold a malformed value, nor is it the stored one.
  const malformed = Object.fromEntries(checked.malformed.map(({ path }) => [path, null]));
  return refuseBody(checked, await findConflicts(access, table, { ...malformed, ...values }, id));
}

/**
 * 422 with all conflicts when a value is a file's key: no constraint knows to which field a file was
 * uploaded. Other values need no look-up, because the constraints check them when they are written.
 */
async function refuseUnknownFiles(
  reader: Reader,
  table: Table<never>,
  values: object,
  id: string | null,
): Promise<void> {
  if (fileKeysOf(table, values).length === 0) return;
  if (id !== null) await storedRecord(reader, table, id);
  const issues = await findConflicts(reader, table, { ...values }, id);
  if (issues.length > 0) refuse("INVALID", { issues });
}

/** The keys of stored files among a record's values. */
function fileKeysOf(table: Table<never>, values: object): unknown[] {
  return Object.entries(values)
    .filter(([key, value]) => value !== null && columnOf(table, key)?.kind === "file")
    .map(([, value]) => value);
}

interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** The statement, extended to mark the files of these keys as in use. */
function usingFiles({ text, parameters }: Statement, keys: readonly unknown[]): Statement {
  if (keys.length === 0) return { text, parameters };
  const used = `
    with _used as (
      update service.uploads
      set unused_since = null
      where key = any($${parameters.length + 1}) and unused_since is not null
    )`;
  return { text: used + text, parameters: [...parameters, keys] };
}

interface Write extends Statement {
  /** The id of the record that is changed; null for a new one. */
  readonly id: string | null;
  readonly values: object;
}

/** Runs the statement and returns its record. Where no row comes back, refuses with the reason. */
async function write<Values>(
  reader: Reader,
  table: Table<Values>,
  { id, values, ...statement }: Write,
): Promise<string> {
  const { text, parameters } = usingFiles(statement, fileKeysOf(table, values));
  const [row] = await reader.query<{ json: string }>(text, parameters);
  if (row !== undefined) return row.json;
  if (id !== null) await storedRecord(reader, table, id);
  return refuseTaken(reader, table, { ...values }, id);
}

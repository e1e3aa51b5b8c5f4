import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import pg from "pg";
import type { App } from "service-runtime/app";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSession } from "../support/accounts/accounts.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { client, hangUp, type Json, type Reply } from "../support/http/client.js";
import { type EventStream, openEvents } from "../support/http/event-stream.js";
import { withVariables } from "../support/processes/environment.js";
import type { RuledCaller } from "../support/rights/request.js";
import { isThorough } from "../support/searches.js";
import {
  apply,
  type Cleared,
  copyOf,
  descriptors,
  emptyState,
  fields,
  idOf,
  isDone,
  type Key,
  keyOf,
  type Operation,
  type Outcome,
  type Resource,
  resourceOf,
  resources,
  type State,
  targetOf,
  type Values,
} from "../support/trash/model.js";

let app: WrittenApp;
let second: { readonly app: App; readonly url: string };
let ada: RuledCaller;
let clients: readonly RuledCaller["client"][];
let sql: pg.Client;
let stream: EventStream;

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      ...descriptors,
      ["marks.yaml", "changes: true\nfields: { name: { type: string } }\n"],
    ]),
  });
  ada = await app.caller(null);
  const variables = {
    ...{ DATABASE_URL: app.config.database.url, PORT: "0", SERVICE_LOG_LEVEL: "error" },
    SERVICE_SECRET: "a secret of the tests, long enough",
  };
  second = await withVariables(variables, async () => {
    const { createApp } = await import(pathToFileURL(join(app.root, "generated/app.ts")).href);
    const other: App = await createApp();
    return { app: other, url: await other.listen() };
  });
  const token = await newSession(app.db, ada.id);
  clients = [ada.client, client(second.url, token)];
  sql = new pg.Client({ connectionString: app.config.database.url });
  await sql.connect();
  const watch = JSON.stringify(
    Object.fromEntries([...resources, "marks"].map((name) => [name, {}])),
  );
  stream = await openEvents(app.url, token, `/_service/changes?watch=${encodeURIComponent(watch)}`);
  expect(stream.status).toBe(200);
  void follow();
});
afterAll(async () => {
  stream?.close();
  await sql?.end();
  hangUp(second?.url);
  await second?.app.close();
  await app?.close();
});

/** What a client has that follows the stream. */
const copy = new Map<string, string>();
/** Called at each mark. */
let atMark = () => {};

async function follow(): Promise<void> {
  for (;;) {
    const next = await stream.next().catch(() => null);
    if (next === null) return;
    const { event, data } = next;
    if (event !== "change") continue;
    if (data.resource === "marks") {
      atMark();
    } else if (data.op === "delete") copy.delete(`${data.resource}/${data.id}`);
    else
      copy.set(`${data.resource}/${data.id}`, JSON.stringify(valuesOf(data.resource, data.record)));
  }
}

function valuesOf(resource: Resource, record: Readonly<Record<string, Json>>): Values {
  return Object.fromEntries(
    fields[resource].map((field) => [field, record[field] as string | null]),
  );
}

const column = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const numbers = fc.array(fc.nat({ max: 1_000 }), { minLength: 9, maxLength: 9 });
const kind = fc.constantFrom(
  ...(["create", "create", "update", "update", "delete", "delete", "delete"] as const),
  ...(["restore", "restore", "restore", "purge", "insert"] as const),
);
const wish = fc.record({ kind, numbers });
type Wish = typeof wish extends fc.Arbitrary<infer Value> ? Value : never;
const step = fc.record({
  way: fc.constantFrom("request", "request", "batch", "sql", "race", "race", "app"),
  wishes: fc.array(wish, { minLength: 3, maxLength: 3 }),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const nowhere = "00000000-0000-7000-8000-000000000000";

/** The operation that a wish is in a state. */
function operationOf(state: State, { kind, numbers }: Wish): Operation {
  let next = 0;
  const deal = <T>(all: readonly T[]): T => all[(numbers[next++] ?? 0) % all.length] as T;
  const resource = deal(resources);
  const idsOf = (one: Resource, from: Iterable<Key>) =>
    [...from].filter((key) => resourceOf(key) === one).map(idOf);
  const living = (one: Resource) => idsOf(one, state.living.keys());
  const trashed = (one: Resource) => idsOf(one, state.trash.keys());
  const valueFor = (field: string): string | null => {
    const to = targetOf(resource, field);
    if (to !== null) return deal([...living(to), ...living(to), ...trashed(to), null]);
    if (field === "state") return deal(["draft", "live", null]);
    return deal(["a", "b", "c", null]);
  };
  const values = (): Values =>
    Object.fromEntries(fields[resource].map((field) => [field, valueFor(field)]));
  const roots = [...state.trash].filter(([, { isRoot }]) => isRoot).map(([key]) => key);
  const anyLiving = [...living(resource), ...trashed(resource).slice(0, 1), nowhere];
  switch (kind) {
    case "create":
      return { kind, resource, values: values() };
    case "insert": {
      const ids = trashed(resource);
      if (ids.length === 0) return { kind: "create", resource, values: values() };
      return { kind, key: keyOf(resource, deal(ids)), values: values() };
    }
    case "update": {
      const field = deal(fields[resource]);
      const key = keyOf(resource, deal(anyLiving));
      return { kind, key, values: { [field]: valueFor(field) } };
    }
    case "delete": {
      const keys = [deal(anyLiving), deal(anyLiving)].map((id) => keyOf(resource, id));
      return { kind, keys: [...new Set(keys)] };
    }
    case "restore":
      return {
        kind,
        key: deal([...roots, ...roots, ...state.trash.keys(), keyOf(resource, nowhere)]),
      };
    case "purge":
      return {
        kind,
        key: deal([
          ...state.trash.keys(),
          ...state.trash.keys(),
          ...state.living.keys(),
          keyOf(resource, nowhere),
        ]),
      };
  }
}

/** What a way of writing has answered. */
interface Answer {
  readonly status: number;
  /** The id of a new record. */
  readonly id: string;
  /** The record that refuses a restore, with its field. */
  readonly reason: string | null;
}

function answerOf({ status, body, text }: Reply): Answer {
  done.push(`  ${status} ${text}`);
  expect(status, text).toBeLessThan(500);
  const {
    id = nowhere,
    resource,
    field,
    issues = [],
  } = (body ?? {}) as never as {
    readonly id?: string;
    readonly resource?: string;
    readonly field?: string;
    readonly issues?: readonly { readonly path: string }[];
  };
  const path = field ?? issues[0]?.path;
  const reason =
    resource === undefined ? null : `${resource}/${id}${path === undefined ? "" : ` ${path}`}`;
  return { status, id, reason };
}

async function request(operation: Operation, by = clients[0]): Promise<Answer> {
  done.push(JSON.stringify(operation));
  if (by === undefined) throw new Error("There is no client");
  switch (operation.kind) {
    case "create":
      return answerOf(await by.post(`/${operation.resource}`, operation.values));
    case "insert":
      return insert(operation.key, operation.values);
    case "update":
      return answerOf(await by.patch(`/${operation.key}`, operation.values));
    case "delete":
      return answerOf(await by.delete(`/${operation.keys[0]}`));
    case "restore":
      return answerOf(await by.post(`/${operation.key}/_restore`, undefined));
    case "purge":
      return answerOf(await by.delete(`/${operation.key}?trash=skip`));
  }
}

async function insert(key: Key, values: Values): Promise<Answer> {
  const columns = ["id", ...Object.keys(values).map(column)];
  const places = columns.map((_, at) => `$${at + 1}`);
  return inSql(
    `insert into ${resourceOf(key)} (${columns.join(", ")}) values (${places.join(", ")})`,
    [idOf(key), ...Object.values(values)],
  );
}

/** Runs a statement; 422 for a constraint that a write has broken, 409 for one that a delete has. */
async function inSql(text: string, values: readonly unknown[], broken = 422): Promise<Answer> {
  try {
    const { rowCount } = await sql.query(text, [...values]);
    return { status: rowCount === 0 ? 404 : 200, id: nowhere, reason: null };
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || !error.code?.startsWith("23")) throw error;
    return { status: broken, id: nowhere, reason: null };
  }
}

async function bySql(operation: Operation): Promise<Answer> {
  done.push(`SQL ${JSON.stringify(operation)}`);
  switch (operation.kind) {
    case "update": {
      const entries = Object.entries(operation.values);
      const sets = entries.map(([field], at) => `${column(field)} = $${at + 2}`);
      return inSql(`update ${resourceOf(operation.key)} set ${sets.join(", ")} where id = $1`, [
        idOf(operation.key),
        ...entries.map(([, value]) => value),
      ]);
    }
    case "delete": {
      const [key = keyOf("boxes", nowhere)] = operation.keys;
      const ids = operation.keys.map(idOf);
      return inSql(`delete from ${resourceOf(key)} where id = any ($1)`, [ids], 409);
    }
    default:
      return request(operation);
  }
}

async function byApp(operation: Operation): Promise<Answer> {
  done.push(`app ${JSON.stringify(operation)}`);
  const named = app.app.resources as never as Record<
    string,
    Record<string, (...given: unknown[]) => Promise<{ id: string }>>
  >;
  const call = async (
    resource: Resource,
    name: string,
    ...given: readonly unknown[]
  ): Promise<Answer> => {
    try {
      const made = await named[resource]?.[name]?.(...given);
      return { status: 200, id: made?.id ?? nowhere, reason: null };
    } catch (error) {
      const { status } = error as { readonly status?: number };
      if (status === undefined || status >= 500) throw error;
      return { status, id: nowhere, reason: null };
    }
  };
  switch (operation.kind) {
    case "create":
      return call(operation.resource, "create", operation.values);
    case "delete": {
      const [key = keyOf("boxes", nowhere)] = operation.keys;
      return call(resourceOf(key), "delete", idOf(key));
    }
    case "update":
      return call(resourceOf(operation.key), "update", idOf(operation.key), operation.values);
    case "restore":
      return call(resourceOf(operation.key), "restore", idOf(operation.key));
    case "purge":
      return call(resourceOf(operation.key), "delete", idOf(operation.key), { trash: "skip" });
    default:
      return request(operation);
  }
}

/** The first record only, as every way but SQL deletes. */
function ofOne(operation: Operation): Operation {
  return operation.kind === "delete"
    ? { kind: "delete", keys: operation.keys.slice(0, 1) }
    : operation;
}

function inBatch(operation: Operation): object {
  switch (operation.kind) {
    case "create":
      return { create: operation.resource, values: operation.values };
    case "update":
      return {
        update: resourceOf(operation.key),
        id: idOf(operation.key),
        values: operation.values,
      };
    case "delete": {
      const [key = keyOf("boxes", nowhere)] = operation.keys;
      return { delete: resourceOf(key), id: idOf(key) };
    }
    case "purge":
      return { delete: resourceOf(operation.key), id: idOf(operation.key), trash: "skip" };
    case "restore":
      return { restore: resourceOf(operation.key), id: idOf(operation.key) };
    case "insert":
      throw new Error("A batch cannot set an id");
  }
}

function expectAnswer(answer: Answer, { statuses, reasons }: Outcome, of: object): void {
  expect(statuses, `${JSON.stringify(of)} ${JSON.stringify(answer)}`).toContain(answer.status);
  if (reasons !== undefined && answer.reason !== null) {
    expect([...reasons], JSON.stringify(of)).toContain(answer.reason);
  }
}

const applied = (
  state: State,
  operation: Operation,
  { id }: Pick<Answer, "id">,
  by: string | null,
) => apply(state, operation, { id, by, since: state.marks });

/** What a history has done so far, for the message of a failure. */
const done: string[] = [];

async function take(state: State, { way, wishes }: Step): Promise<void> {
  const [one, other] = wishes;
  if (one === undefined || other === undefined) return;
  const own = operationOf(state, one);
  const by = own.kind === "insert" || way === "sql" || way === "app" ? null : ada.id;
  if (way === "race") return race(state, [ofOne(own), ofOne(operationOf(state, other))]);
  if (way === "batch") return batch(state, wishes);
  const operation = way === "sql" ? own : ofOne(own);
  const run = way === "sql" ? bySql : way === "app" ? byApp : request;
  const answer = await run(operation);
  const isBySql = way === "sql" && ["delete", "update"].includes(operation.kind);
  const account = way === "sql" && !isBySql && operation.kind !== "insert" ? ada.id : by;
  expectAnswer(answer, applied(state, operation, answer, account), operation);
}

async function batch(state: State, wishes: readonly Wish[]): Promise<void> {
  const operations = wishes
    .map((one) => ofOne(operationOf(state, one)))
    .filter(({ kind }) => kind !== "insert");
  if (operations.length === 0) return;
  const reply = await clients[1]?.post<{ data: readonly ({ id: string } | null)[] }>(
    "/_service/batch",
    {
      operations: operations.map(inBatch),
    },
  );
  if (reply === undefined) return;
  done.push(`batch ${JSON.stringify(operations)}`, `  ${reply.status} ${reply.text}`);
  const draft = copyOf(state);
  const since = draft.marks;
  for (const [at, operation] of operations.entries()) {
    const id = reply.status === 200 ? (reply.body.data[at]?.id ?? nowhere) : `new ${at}`;
    const outcome = apply(draft, operation, { id, by: ada.id, since });
    if (isDone(outcome)) continue;
    expectAnswer(answerOf(reply), outcome, operations);
    return;
  }
  expect(reply.status, `${JSON.stringify(operations)} ${reply.text}`).toBe(200);
  Object.assign(state, draft);
}

/**
 * A deletion notes the links to its record before it waits for another one to clear or delete them: after both, the two may
 * each have noted what only the first one cleared. It is set again by a restore, where it is still empty.
 */
async function adoptCleared({ trash }: State, orders: readonly State[]): Promise<void> {
  const { rows } = await sql.query<{ key: Key; cleared: readonly Noted[] }>(
    "select table_name || '/' || id as key, coalesce(cleared, '[]') as cleared from service.trash",
  );
  for (const row of rows) {
    const one = trash.get(row.key);
    if (one === undefined) continue;
    const noted = row.cleared.flatMap(({ table, column: name, ids }) =>
      ids.map((id) => ({
        key: keyOf(table, id),
        field: fields[table].find((field) => column(field) === name) ?? name,
      })),
    );
    const texts = orders.flatMap((order) => order.trash.get(row.key)?.cleared ?? []).map(textOf);
    for (const link of noted) expect(texts).toContain(textOf(link));
    trash.set(row.key, { ...one, cleared: noted });
  }
}

interface Noted {
  readonly table: Resource;
  readonly column: string;
  readonly ids: readonly string[];
}

const textOf = ({ key, field }: Cleared) => `${key} ${field}`;

/** Two servers write at once: what they answer and leave is what they do one after the other. */
async function race(state: State, both: readonly [Operation, Operation]): Promise<void> {
  const answers = await Promise.all(both.map((one, at) => request(one, clients[at])));
  const seen = await stored();
  const orders = [
    [0, 1],
    [1, 0],
  ].map((order) => {
    const draft = copyOf(state);
    const isSame = order.every((at) => {
      const [operation, answer] = [both[at], answers[at]];
      if (operation === undefined || answer === undefined) return false;
      const by = operation.kind === "insert" ? null : ada.id;
      return applied(draft, operation, answer, by).statuses.includes(answer.status);
    });
    return { draft, isSame, shown: shownBy(draft) };
  });
  const found = orders.find(({ isSame, shown }) => isSame && same(shown, seen));
  if (found === undefined) {
    const why = orders.map(({ isSame, shown }) => ({ isSame, ...differences(shown, seen) }));
    throw new Error(`the race ended in no order: ${JSON.stringify(why, null, 1)}`);
  }
  await adoptCleared(
    found.draft,
    orders.map(({ draft }) => draft),
  );
  Object.assign(state, found.draft);
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** What the tables and the trash hold, in a form to be compared. */
interface Shown {
  readonly living: readonly (readonly [string, Values])[];
  readonly trash: readonly (readonly [string, object])[];
}

/** What the model has and is not stored, and what is stored instead. */
function differences(model: Shown, seen: Shown) {
  const texts = ({ living, trash }: Shown) =>
    [...living, ...trash].map((row) => JSON.stringify(row));
  const [expected, found] = [texts(model), texts(seen)];
  return {
    model: expected.filter((row) => !found.includes(row)),
    stored: found.filter((row) => !expected.includes(row)),
  };
}

const byKey = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) =>
  one < other ? -1 : 1;

function shownBy({ living, trash }: State): Shown {
  const marks = new Map<number, string[]>();
  for (const [key, { mark }] of trash) marks.set(mark, [...(marks.get(mark) ?? []), key]);
  return {
    living: [...living].map(([key, values]) => [key, ordered(key, values)] as const).sort(byKey),
    trash: [...trash]
      .map(([key, { values, mark, isRoot, by }]) => {
        const together = (marks.get(mark) ?? []).toSorted();
        return [key, { values: ordered(key, values), together, isRoot, by }] as const;
      })
      .sort(byKey),
  };
}

function ordered(key: Key, values: Values): Values {
  return Object.fromEntries(fields[resourceOf(key)].map((field) => [field, values[field] ?? null]));
}

const readLiving = resources
  .map((name) => `select '${name}' as resource, id, to_jsonb(${name}) as image from ${name}`)
  .join(" union all ");

interface Read {
  readonly resource: Resource;
  readonly id: string;
  readonly image: Readonly<Record<string, string | null>>;
}

async function stored(): Promise<Shown> {
  const living = await sql.query<Read>(readLiving);
  const trash = await sql.query<Read & { mark: string; root: boolean; by: string | null }>(
    `select table_name as resource, id, image, mark, is_root as root, deleted_by as by from service.trash`,
  );
  const values = ({ resource, image }: Read): Values =>
    Object.fromEntries(fields[resource].map((field) => [field, image[column(field)] ?? null]));
  const key = ({ resource, id }: Read) => keyOf(resource, id);
  return {
    living: living.rows.map((row) => [key(row), values(row)] as const).sort(byKey),
    trash: trash.rows
      .map((row) => {
        const together = trash.rows
          .filter(({ mark }) => mark === row.mark)
          .map(key)
          .toSorted();
        return [key(row), { values: values(row), together, isRoot: row.root, by: row.by }] as const;
      })
      .sort(byKey),
  };
}

/** Compares tables, trash, totals, one resource's lists, and, once the stream has caught up, what a client has. */
async function check(state: State, at: number): Promise<void> {
  const shown = shownBy(state);
  expect(differences(shown, await stored())).toEqual({ model: [], stored: [] });
  expect((await sql.query("select * from service.wrong_counts()")).rows).toEqual([]);
  const resource = resources[at % resources.length] ?? "boxes";
  for (const [turn, query] of ["", "&trash=only"].entries()) {
    const list = await clients[(at + turn) % 2]?.list(`/${resource}?perPage=100${query}`);
    const rows = (turn === 0 ? shown.living : shown.trash).filter(
      ([key]) => resourceOf(key as Key) === resource,
    );
    expect(list?.status, list?.text).toBe(200);
    expect(list?.body.meta.total, query).toBe(rows.length);
    const listed = (list?.body.data ?? []).map(
      (row) => [keyOf(resource, row.id), valuesOf(resource, row)] as const,
    );
    const own = rows.map(
      ([key, row]) => [key, turn === 0 ? row : Reflect.get(row, "values")] as const,
    );
    expect(listed.toSorted(byKey)).toEqual(own);
  }
  await nextMark();
  const living = [...state.living].map(([key, values]) => [
    key,
    JSON.stringify(ordered(key, values)),
  ]);
  expect([...copy].sort()).toEqual(living.sort());
}

/** Waits until the stream has all changes so far. */
async function nextMark(): Promise<void> {
  const seen = new Promise<void>((resolve) => {
    atMark = resolve;
  });
  await sql.query("insert into marks (name) values ('step')");
  await seen;
}

/** Two boxes with a folder and papers each. */
async function fill(): Promise<State> {
  await sql.query("begin");
  await sql.query("select set_config('service.trash', 'skip', true)");
  for (const name of resources.toReversed()) await sql.query(`delete from ${name}`);
  await sql.query("delete from service.trash");
  await sql.query("commit");
  const state = emptyState();
  const add = async (resource: Resource, values: Values): Promise<string> => {
    const answer = await request({ kind: "create", resource, values });
    expectAnswer(
      answer,
      applied(state, { kind: "create", resource, values }, answer, null),
      values,
    );
    return answer.id;
  };
  const labelId = await add("labels", { name: "red", paperId: null });
  let nextId: string | null = null;
  for (const name of ["a", "b"]) {
    const boxId = await add("boxes", { name });
    const folderId = await add("folders", { boxId, parentId: null });
    const inner = await add("folders", { boxId, parentId: folderId });
    for (const [at, folder] of [folderId, inner].entries()) {
      const values = { boxId, folderId: folder, labelId };
      nextId = await add("papers", { ...values, nextId, title: `${name}${at}`, state: "draft" });
    }
    await add("labels", { name, paperId: nextId });
  }
  // As autovacuum does: the statistics decide how statements are executed.
  await sql.query(`analyze ${[...resources, "service.trash"].join(", ")}`);
  return state;
}

test("after each write, tables, totals, trash and streams are those of a model", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
      const state = await fill();
      await check(state, 0);
      done.length = 0;
      try {
        for (const [at, one] of steps.entries()) {
          await take(state, one);
          await check(state, at);
        }
      } catch (error) {
        throw new Error(`after\n${done.join("\n")}\n${error}`, { cause: error });
      }
    }),
    { numRuns: isThorough ? 2_000 : 30, endOnFailure: true },
  );
}, 3_600_000);

test("a record that belongs to two deleted ones gets their mark, however PostgreSQL plans the statement", async () => {
  const state = await fill();
  const [box = keyOf("boxes", nowhere), other = keyOf("boxes", nowhere)] = [
    ...state.living.keys(),
  ].filter((key) => resourceOf(key) === "boxes");
  // Of papers in two boxes: one in a folder of the deleted box, one in another.
  for (const [key, values] of state.living) {
    if (resourceOf(key) !== "papers" || values.boxId !== idOf(box)) continue;
    await sql.query("update papers set box_id = $1 where id = $2", [idOf(other), idOf(key)]);
    state.living.set(key, { ...values, boxId: idOf(other) });
    break;
  }
  const deletion = { kind: "delete", keys: [box] } as const;
  expectAnswer(
    await request(deletion),
    applied(state, deletion, { id: nowhere }, ada.id),
    deletion,
  );
  await check(state, 0);
});

test("one of 20 concurrent restores of a mark by two servers wins", async () => {
  const state = await fill();
  const [key] = [...state.living.keys()].filter((one) => resourceOf(one) === "boxes");
  if (key === undefined) throw new Error("There is no box");
  expectAnswer(
    await request({ kind: "delete", keys: [key] }),
    applied(state, { kind: "delete", keys: [key] }, { id: nowhere }, ada.id),
    [key],
  );
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => request({ kind: "restore", key }, clients[at % 2])),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, ...Array(19).fill(404)]);
  applied(state, { kind: "restore", key }, { id: nowhere }, ada.id);
  await check(state, 0);
});

import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Json, Reply } from "../http/client.js";
import type { Record } from "../query-model.js";
import { type Action, type Attempt, type Rights, type Ruled, withIds } from "./model.js";
import { nowhere, type Request, valueFor } from "./request.js";
import { expectStored, valuesFor } from "./write.js";

interface Operation {
  readonly kind: "create" | "update" | "upsert" | "delete";
  readonly resource: string;
  readonly id: string | null;
  /** Links may be `{ ref: n }`. */
  readonly values: Record;
  readonly by: string;
}

interface Outcome {
  readonly status: number;
  /** As the caller then sees it; null without one. */
  readonly record: Record | null;
}

interface Answer {
  readonly data?: readonly (Record | null)[];
  readonly errors?: readonly { readonly index: number; readonly status: number }[];
  readonly index?: number;
  readonly issues?: readonly { readonly index: number }[];
}

/** Some writes at once, which may refer to each other, with the model's results for one after the other. */
export async function batch(request: Request): Promise<void> {
  const { rights, caller, deal } = request;
  const atomic = deal([true, true, false]);
  const operations: Operation[] = [];
  for (let left = deal([2, 3, 4]); left > 0; left -= 1) {
    operations.push(newOperation(request, operations));
  }
  const text = JSON.stringify({ operations: operations.map(sent), ...(atomic ? {} : { atomic }) });
  const headers = { "idempotency-key": randomUUID() };
  const send = (): Promise<Reply<Answer>> =>
    caller.client.send("POST", "/_service/batch", { text, headers });
  const reply = await send();
  const what = `${caller.role} ${text} ${reply.text}`;
  const after = rights.copy();
  const outcomes = play(request, after, operations);
  const ruled = outcomes.findIndex(({ isByRule }) => isByRule);
  const refused = ruled >= 0 ? ruled : outcomes.findIndex(({ status }) => status >= 400);
  if (atomic && refused >= 0) {
    expect([reply.status, reply.body.index], what).toEqual([outcomes[refused]?.status, refused]);
    for (const { index } of reply.body.issues ?? []) expect(index).toBeGreaterThanOrEqual(refused);
    return expectStored(request, what);
  }
  expect(reply.status, what).toBe(200);
  const errors = outcomes.flatMap(({ status }, index) => (status < 400 ? [] : [{ index, status }]));
  const told = reply.body.errors?.map(({ index, status }) => ({ index, status }));
  expect(told ?? [], what).toEqual(errors);
  const { data = [] } = reply.body;
  const ids = new Map(data.map((record, at) => [newId(at), String(record?.id ?? nowhere)]));
  const records = outcomes.map(({ record }) => record && timeless(withIds(record, ids)));
  expect(
    data.map((record) => record && timeless(record)),
    what,
  ).toEqual(records);
  await expectStored({ ...request, rights: after.withIds(ids) }, what);
  const again = await send();
  expect([again.text, again.headers["idempotency-replayed"]]).toEqual([reply.text, "true"]);
}

/** Until the app has returned the id. */
function newId(at: number): string {
  return `new record ${at}`;
}

/** Without values outside of the model. */
function timeless(record: Record): Record {
  return { ...record, createdAt: null, updatedAt: null, scanFile: null };
}

function newOperation(request: Request, earlier: readonly Operation[]): Operation {
  const { world, rights, deal } = request;
  const resource = deal(world.described).name;
  const inner = { ...request, resource };
  const by = uniqueOf(rights.of(resource))?.name ?? "";
  const kinds = ["create", "create", "update", "delete", by === "" ? "create" : "upsert"] as const;
  const kind = deal(kinds);
  const ids = rights.rowsOf(resource).map(({ id }) => String(id));
  const hasId = kind === "update" || kind === "delete";
  const values: { [key: string]: Json } = {
    ...valuesFor(inner, kind === "upsert" ? "create" : kind),
  };
  // Of several operations the first that is refused ends most batches: more of them are complete than alone.
  for (const field of kind === "update" || kind === "delete" ? [] : rights.of(resource).fields) {
    const isMissing = field.required && !Object.hasOwn(values, field.name);
    if (isMissing && deal([true, true, false])) values[field.name] = valueFor(inner, field);
  }
  if (kind === "upsert") values[by] = deal(world.values[by] ?? [null]);
  for (const { name, resource: to } of rights.of(resource).fields) {
    const made = earlier.flatMap((one, at) =>
      one.resource === to && (one.kind === "create" || one.kind === "upsert") ? [at] : [],
    );
    const ref = deal([null, ...made, ...made, ...made]);
    if (ref !== null && Object.hasOwn(values, name)) values[name] = { ref };
  }
  return { kind, resource, id: hasId ? deal([...ids, ...ids, nowhere]) : null, values, by };
}

function uniqueOf({ fields }: Ruled): Ruled["fields"][number] | undefined {
  return fields.find(({ unique }) => unique === true);
}

function sent({ kind, resource, id, values, by }: Operation): object {
  const parts = {
    create: { values },
    upsert: { by, values },
    update: { id, values },
    delete: { id },
  };
  return { [kind]: resource, ...parts[kind] };
}

/** Does in the model what the batch does, each operation by itself. */
function play(
  { caller }: Request,
  rights: Rights,
  operations: readonly Operation[],
): (Outcome & { readonly isByRule: boolean })[] {
  const ids: (string | null)[] = [];
  return operations.map((operation, at) => {
    const actions = actionsOf(operation.kind);
    const isByRule = actions.some(
      (action) => rights.scope(caller, operation.resource, action) === "none",
    );
    if (isByRule) {
      ids[at] = null;
      return { status: 403, record: null, isByRule };
    }
    const values: { [key: string]: Json } = {};
    for (const [key, value] of Object.entries(operation.values)) {
      const ref = isReference(value) ? value.ref : null;
      if (ref !== null && ids[ref] === null) {
        ids[at] = null;
        return { status: 424, record: null, isByRule };
      }
      values[key] = ref === null ? value : (ids[ref] ?? null);
    }
    const found = attemptOf(rights, { ...operation, values });
    const status = statusOf(rights, caller, found, operation);
    if (status >= 400 || found === null) {
      ids[at] = null;
      return { status, record: null, isByRule };
    }
    const id = found.id ?? newId(at);
    ids[at] = id;
    rights.apply(caller, found, id);
    const record = rights.rowsOf(found.resource).find((row) => row.id === id);
    const shown = record === undefined ? null : rights.shown(caller, found.resource, record);
    return { status, record: shown, isByRule };
  });
}

function actionsOf(kind: Operation["kind"]): readonly Action[] {
  return kind === "upsert" ? ["create", "update"] : [kind];
}

function isReference(value: Json): value is { readonly ref: number } {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "ref");
}

/** Null for an upsert without a value to find its record by. */
function attemptOf(rights: Rights, operation: Operation): Attempt | null {
  const { kind, resource, id, values, by } = operation;
  if (kind !== "upsert") return { kind, resource, id, values };
  const value = values[by] ?? null;
  if (value === null) return null;
  const found = rights.rowsOf(resource).find((row) => row[by] === value);
  if (found === undefined) return { kind: "create", resource, id: null, values };
  return { kind: "update", resource, id: String(found.id), values };
}

function statusOf(
  rights: Rights,
  caller: Request["caller"],
  attempt: Attempt | null,
  { kind, resource, by }: Operation,
): number {
  const isClosed = kind === "upsert" && rights.closed(caller, resource, "write").includes(by);
  if (attempt === null || isClosed) return 422;
  const { status } = rights.verdict(caller, attempt);
  return kind === "upsert" && status === 404 ? 422 : status;
}

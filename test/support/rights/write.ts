import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { paths } from "../apps/shop.js";
import type { Reply } from "../http/client.js";
import type { Record } from "../query-model.js";
import { type Attempt, isFounding } from "./model.js";
import { nowhere, type Request, type RuledCaller, stored, valueFor } from "./request.js";

/** A write, alone or in a batch, with the model's result and nothing else changed. */
export async function write(request: Request): Promise<void> {
  const { rights, resource, deal } = request;
  const kind = deal(["create", "create", "update", "replace", "delete"] as const);
  const ids = rights.rowsOf(resource).map(({ id }) => String(id));
  const id = kind === "create" ? null : deal([...ids, ...ids, nowhere]);
  const values = valuesFor(request, kind);
  await attemptWrite(request, { resource, kind, id, values });
}

export function valuesFor(request: Request, kind: Attempt["kind"]): Record {
  const { rights, resource, deal } = request;
  if (kind === "delete") return {};
  const chosen = rights.of(resource).fields.filter(({ required }) => {
    if (required && kind !== "update") return deal([true, true, true, false]);
    return deal([true, false, false]);
  });
  return Object.fromEntries(chosen.map((field) => [field.name, valueFor(request, field)]));
}

export async function attemptWrite(request: Request, attempt: Attempt): Promise<void> {
  const { rights, caller, deal } = request;
  const { kind, id } = attempt;
  const verdict = rights.verdict(caller, attempt);
  const ways = ["alone", "alone", "batch", "replayed"] as const;
  const way =
    kind === "replace" ? "alone" : deal(caller.isVisitor ? (["alone", "replayed"] as const) : ways);
  const precondition = way === "alone" && id !== null ? deal(["none", "none", "any", "stale"]) : "";
  // Rules and conditions go before the tag, and policies after it.
  const status = precondition === "stale" && !verdict.isEarly ? 412 : verdict.status;
  const tags: { readonly [precondition: string]: string } = { any: "*", stale: '"stale"' };
  const tag = tags[precondition];
  const headers: { [name: string]: string } = tag === undefined ? {} : { "if-match": tag };
  if (way === "replayed") headers["idempotency-key"] = randomUUID();
  const reply = await (way === "batch"
    ? sendBatch(caller, attempt)
    : send(caller, attempt, headers));
  const what = `${caller.role} ${way} ${precondition} ${JSON.stringify(attempt)} ${reply.text}`;
  expect(reply.status, what).toBe(way === "batch" && status < 300 ? 200 : status);
  if (status === 422 && way !== "batch") {
    expect(paths(reply), what).toEqual([...new Set(verdict.paths)].sort());
  }
  const record = recordOf(reply, way === "batch");
  if (status < 300) {
    rights.apply(caller, attempt, kind === "create" ? String(record.id) : null);
  }
  if (way === "replayed") {
    const again = await send(caller, attempt, headers);
    expect(again.text, what).toBe(reply.text);
    expect(again.headers["idempotency-replayed"], what).toBe(status < 300 ? "true" : undefined);
  }
  await expectStored(request, what);
  if (status === 200 || status === 201) await expectShown(request, record, what);
}

function recordOf(reply: Reply, isBatch: boolean): Record {
  if (!isBatch) return (reply.body ?? {}) as Record;
  return (reply.body as { data?: Record[] }).data?.[0] ?? {};
}

/** By a unique value: creates as POST does, or changes as PATCH does. */
export async function upsert(request: Request): Promise<void> {
  const { rights, caller, resource } = request;
  const unique = rights.of(resource).fields.find((field) => field.unique);
  if (unique === undefined) return write(request);
  const values = { ...valuesFor(request, "create"), [unique.name]: valueFor(request, unique) };
  const operation = { upsert: resource, by: unique.name, values };
  const reply = await caller.client.post<{ data: Record[]; issues: { path: string }[] }>(
    "/_service/batch",
    { operations: [operation] },
  );
  const what = `${caller.role} ${JSON.stringify(operation)} ${reply.text}`;
  const actions = ["create", "update"] as const;
  if (actions.some((action) => rights.scope(caller, resource, action) === "none")) {
    return expect(reply.status, what).toBe(403);
  }
  const isClosed = rights.closed(caller, resource, "write").includes(unique.name);
  const value = values[unique.name] ?? null;
  if (isClosed || value === null) return expect(reply.status, what).toBe(422);
  const found = rights.rowsOf(resource).find((row) => row[unique.name] === value);
  const attempt: Attempt = {
    resource,
    kind: found === undefined ? "create" : "update",
    id: found === undefined ? null : String(found.id),
    values,
  };
  const verdict = rights.verdict(caller, attempt);
  const isHidden = found !== undefined && verdict.status === 404;
  const status = isHidden ? 422 : verdict.status < 300 ? 200 : verdict.status;
  expect(reply.status, what).toBe(status);
  if (isHidden)
    expect(
      reply.body.issues.map(({ path }) => path),
      what,
    ).toEqual([unique.name]);
  if (status === 200) rights.apply(caller, attempt, String(reply.body.data[0]?.id));
  await expectStored(request, what);
  if (status === 200) await expectShown(request, reply.body.data[0] ?? {}, what);
}

/** The tables have the rows of the model. */
export async function expectStored({ world, rights }: Request, what: string): Promise<void> {
  const now = await stored(world);
  for (const { name } of world.described) {
    const plain = (row: Record): Record => ({
      ...row,
      createdAt: null,
      updatedAt: null,
      scanFile: null,
    });
    const sorted = (rows: readonly Record[]) =>
      rows.map(plain).sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
    const all = now.get(name) ?? [];
    const known = rights.rowsOf(name).map((row) => (isFounding(row) ? named(row, all) : row));
    expect(sorted(known), what).toEqual(sorted(all));
  }
}

/** The first membership of a group, with the id that the app has given it. */
function named(row: Record, all: readonly Record[]): Record {
  const { id: _, ...values } = row;
  const found = all.find((one) =>
    Object.entries(values).every(([key, value]) => one[key] === value),
  );
  return { ...row, id: found?.id ?? null };
}

/** The answer is the stored record, without fields that the caller may not read. */
export async function expectShown(
  { world, rights, caller, resource }: Request,
  record: Record,
  what: string,
): Promise<void> {
  const whole = (await stored(world)).get(resource)?.find(({ id }) => id === record.id) ?? {};
  const isGot =
    rights.reached(caller, resource, "get").some(({ id }) => id === record.id) &&
    rights.agrees(caller, resource, "get", whole);
  const { id = null } = record;
  const isWhole = !caller.isVisitor || isGot;
  expect(record, what).toEqual(isWhole ? rights.shown(caller, resource, whole) : { id });
}

function send(
  { client }: RuledCaller,
  { resource, kind, id, values }: Attempt,
  headers: { readonly [name: string]: string },
): Promise<Reply> {
  const methods = { create: "POST", update: "PATCH", replace: "PUT", delete: "DELETE" } as const;
  const path = kind === "create" ? `/${resource}` : `/${resource}/${id}`;
  const text = kind === "delete" ? {} : { text: JSON.stringify(values) };
  return client.send(methods[kind], path, { ...text, headers });
}

function sendBatch(
  { client }: RuledCaller,
  { resource, kind, id, values }: Attempt,
): Promise<Reply> {
  const sent = kind === "delete" ? { id } : kind === "create" ? { values } : { id, values };
  return client.post("/_service/batch", { operations: [{ [kind]: resource, ...sent }] });
}

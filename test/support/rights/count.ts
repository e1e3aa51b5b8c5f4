import { expect } from "vitest";
import type { Json } from "../http/client.js";
import type { Record } from "../query-model.js";
import { type Condition, conditionOn, foundBy, isRefused, type Request } from "./request.js";

interface Asked {
  readonly condition: Condition;
  readonly q: string;
}

const open = { isClosed: false, isShut: false };

/** Statistics and groups count what the caller may, and no more. */
export async function total(request: Request): Promise<void> {
  const condition = conditionOn(request, request.resource);
  const q = request.deal(["", "", "tea"]);
  await statistics(request, { condition, q });
  await groups(request, { condition, q });
}

function queryOf({ condition, q }: Asked): URLSearchParams {
  return new URLSearchParams({ where: JSON.stringify(condition.where), q });
}

async function statistics(request: Request, asked: Asked): Promise<void> {
  const { rights, caller, resource, deal } = request;
  const isPlain = deal([true, false]);
  const query = isPlain ? new URLSearchParams() : queryOf(asked);
  const countable = rights
    .of(resource)
    .fields.filter(({ type }) => type === "enum" || type === "boolean");
  const field = deal([null, ...countable]);
  if (field !== null) query.set("field", field.name);
  const reply = await caller.client.get<{ total: number; current: number; values: Record }>(
    `/${resource}/_stats?${query}`,
  );
  const what = `${caller.role} ${resource} ${decodeURIComponent(String(query))} ${reply.text}`;
  const { isClosed, isShut } = isPlain ? open : asked.condition;
  const isHidden = rights.closed(caller, resource, "read").includes(field?.name ?? "");
  if (isRefused(request, "stats", { isClosed: isClosed || isHidden, isShut }, reply)) return;
  const wanted = isPlain ? { where: {}, q: "" } : { where: asked.condition.where, q: asked.q };
  const found = foundBy(request, "stats", wanted);
  const names = field === null ? [] : (field.values ?? ["true", "false"]);
  const values = names.map((name) => {
    const same = found.filter((row) => field !== null && String(row[field.name]) === name);
    return [name, same.length];
  });
  expect(reply.body, what).toMatchObject({ total: found.length, current: found.length });
  expect(reply.body.values, what).toEqual(Object.fromEntries(values));
}

interface Group {
  readonly by: Record;
  readonly count: number;
  readonly sum?: Record;
  readonly max?: Record;
}

async function groups(request: Request, asked: Asked): Promise<void> {
  const { rights, caller, resource, deal } = request;
  const { fields } = rights.of(resource);
  const groupable = fields
    .filter(({ type }) => ["enum", "boolean", "belongsTo"].includes(type))
    .map(({ name }) => name);
  const by = [...new Set(deal([[], [deal(groupable)], [deal(groupable), deal(groupable)]]))];
  const number = deal([null, ...fields.filter(({ type }) => type === "number")])?.name;
  const query = queryOf(asked);
  if (by.length > 0) query.set("by", by.join(","));
  if (number !== undefined) {
    query.set("sum", number);
    query.set("max", number);
  }
  const reply = await caller.client.get<{ data: Group[] }>(`/${resource}/_aggregate?${query}`);
  const closed = rights.closed(caller, resource, "read");
  const isHidden = [...by, number].some((name) => name !== undefined && closed.includes(name));
  const { condition } = asked;
  const isClosed = condition.isClosed || isHidden;
  if (isRefused(request, "stats", { ...condition, isClosed }, reply)) return;
  const found = foundBy(request, "stats", { where: condition.where, q: asked.q });
  const expected = new Map<string, Record[]>(by.length === 0 ? [["{}", []]] : []);
  for (const row of found) {
    const key = keyOf(by, row);
    expected.set(key, [...(expected.get(key) ?? []), row]);
  }
  const what = `${caller.role} ${resource} ${decodeURIComponent(String(query))} ${reply.text}`;
  expect(
    new Map(reply.body.data.map((group) => [keyOf(by, group.by), summary(group, number)])),
    what,
  ).toEqual(new Map([...expected].map(([key, rows]) => [key, summaryOf(rows, number)])));
}

function keyOf(by: readonly string[], row: Record): string {
  return JSON.stringify(Object.fromEntries(by.map((name) => [name, row[name] ?? null])));
}

function summary({ count, sum, max }: Group, number: string | undefined): object {
  if (number === undefined) return { count };
  return { count, sum: sum?.[number], max: max?.[number] };
}

function summaryOf(rows: readonly Record[], number: string | undefined): object {
  const count = rows.length;
  if (number === undefined) return { count };
  const values = rows
    .map((row) => row[number] ?? null)
    .filter((value): value is number => value !== null);
  const max: Json = values.length === 0 ? null : Math.max(...values);
  return { count, sum: values.reduce((sum, value) => sum + value, 0), max };
}

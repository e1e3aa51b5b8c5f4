import { expect } from "vitest";
import type { Json } from "../http/client.js";
import type { Record, Relation } from "../query-model.js";
import type { Ruled } from "./model.js";
import { type Condition, conditionOn, foundBy, isRefused, type Request } from "./request.js";

interface Asked {
  readonly condition: Condition;
  readonly q: string;
}

const open = { isClosed: false, isShut: false };

/** Statistics and groups count only records that the caller may see. */
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
  readonly distinct?: Record;
}

async function groups(request: Request, asked: Asked): Promise<void> {
  const { rights, caller, resource, deal } = request;
  const { fields } = rights.of(resource);
  const links = rights.relationsOf(resource).filter((one) => !one.isInverse);
  const values = [
    ...groupableOf(fields).map((name): Shared => ({ name, link: null, field: name })),
    ...links.flatMap((link) => {
      const further =
        link.resource === "users" ? ["name"] : groupableOf(rights.of(link.resource).fields);
      return further.map((field): Shared => ({ name: `${link.name}.${field}`, link, field }));
    }),
  ];
  const chosen = deal([[], [deal(values)], [deal(values), deal(values)]]);
  const by = chosen.filter(({ name }, at) => chosen.findIndex((one) => one.name === name) === at);
  const distinct = deal([null, deal(values)]);
  const number = deal([null, ...fields.filter(({ type }) => type === "number")])?.name;
  const query = queryOf(asked);
  if (by.length > 0) query.set("by", by.map(({ name }) => name).join(","));
  if (distinct !== null) query.set("distinct", distinct.name);
  if (number !== undefined) {
    query.set("sum", number);
    query.set("max", number);
  }
  const body = {
    where: asked.condition.where,
    q: asked.q,
    by: by.map(({ name }) => name),
    distinct: distinct === null ? [] : [distinct.name],
    ...(number !== undefined && { sum: [number], max: [number] }),
  };
  const path = `/${resource}/_aggregate`;
  const reply = await (deal([true, false])
    ? caller.client.get<{ data: Group[] }>(`${path}?${query}`)
    : caller.client.post<{ data: Group[] }>(path, body));
  const closed = rights.closed(caller, resource, "read");
  const shared = distinct === null ? by : [...by, distinct];
  const { condition } = asked;
  const isClosed =
    condition.isClosed ||
    (number !== undefined && closed.includes(number)) ||
    shared.some((value) => isClosedTo(request, value));
  const isShut =
    condition.isShut ||
    shared.some(({ link }) => link !== null && rights.isShut(caller, link.resource, "list"));
  if (isRefused(request, "stats", { isClosed, isShut }, reply)) return;
  const found = foundBy(request, "stats", { where: condition.where, q: asked.q });
  const expected = new Map<string, Record[]>(by.length === 0 ? [["{}", []]] : []);
  for (const row of found) {
    const key = keyOf(by, (value) => sharedValue(request, row, value));
    expected.set(key, [...(expected.get(key) ?? []), row]);
  }
  const what = `${caller.role} ${resource} ${decodeURIComponent(String(query))} ${reply.text}`;
  expect(
    new Map(
      reply.body.data.map((group) => [
        keyOf(by, ({ name }) => group.by[name] ?? null),
        { ...summary(group, number), distinct: group.distinct },
      ]),
    ),
    what,
  ).toEqual(
    new Map(
      [...expected].map(([key, rows]) => {
        const known =
          distinct === null ? [] : rows.map((row) => sharedValue(request, row, distinct));
        const count = new Set(known.filter((value) => value !== null)).size;
        const different = distinct === null ? undefined : { [distinct.name]: count };
        return [key, { ...summaryOf(rows, number), distinct: different }];
      }),
    ),
  );
}

/** A value that records are grouped by: of their own, or one link further. */
interface Shared {
  readonly name: string;
  readonly link: Relation | null;
  readonly field: string;
}

function groupableOf(fields: Ruled["fields"]): readonly string[] {
  const types = ["enum", "boolean", "belongsTo", "string"];
  return fields.filter(({ type }) => types.includes(type)).map(({ name }) => name);
}

function isClosedTo({ rights, caller, resource }: Request, { link, field }: Shared): boolean {
  if (link === null) return rights.closed(caller, resource, "read").includes(field);
  return (
    rights.isHidden(caller, resource, link) ||
    rights.closed(caller, link.resource, "read").includes(field)
  );
}

/** Empty if the caller may not see its record. */
function sharedValue({ rights, caller }: Request, row: Record, { link, field }: Shared): Json {
  if (link === null) return row[field] ?? null;
  const [further] = link.from(row);
  if (link.resource === "users") return further?.[field] ?? null;
  const seen = rights.reached(caller, link.resource, "list").find(({ id }) => id === further?.id);
  return seen?.[field] ?? null;
}

function keyOf(by: readonly Shared[], of: (value: Shared) => Json): string {
  return JSON.stringify(Object.fromEntries(by.map((value) => [value.name, of(value)])));
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

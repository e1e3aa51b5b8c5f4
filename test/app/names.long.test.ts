import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningApp, startApp } from "../support/apps/app.js";
import {
  type Body,
  type Descriptor,
  expectRecord,
  neededFields,
  openRounds,
  type Rounds,
} from "../support/apps/round.js";
import { created, paths } from "../support/apps/shop.js";
import type { Client, Json, Row } from "../support/http/client.js";

const resources = readdirSync(resolve(import.meta.dirname, "../../fixtures/names/resources"))
  .map((file) => file.replace(/\.yaml$/, ""))
  .sort();

let app: RunningApp;
let rounds: Rounds;
beforeAll(async () => {
  app = await startApp("names");
  rounds = await openRounds(app);
});
afterAll(() => app.close());

test("every resource of the fixture is listed", () => {
  expect(rounds.resources.map(({ name }) => name).sort()).toEqual(resources);
});

/** A resource with somebody who may do everything with it, and two records. */
interface Stage {
  readonly resource: Descriptor;
  readonly caller: Client;
  readonly path: string;
  /** Created with no more than what is needed. */
  readonly minimal: Row;
  /** Created with every field. */
  readonly full: Row;
  /** What `full` was created with. */
  readonly sent: Body;
}

async function stageOf(name: string): Promise<Stage> {
  const resource = rounds.resources.find((one) => one.name === name);
  if (resource === undefined) throw new Error(`${name} is not served`);
  const caller = await rounds.callerOf(resource);
  const needed = await rounds.bodyOf(resource, neededFields(resource), 1);
  const minimal = await created(caller, name, needed);
  const usual = resource.fields.map((field) => [field.name, field.default ?? null]);
  expectRecord(minimal, resource, { ...Object.fromEntries(usual), ...needed });
  const sent = await rounds.bodyOf(resource, resource.fields, 2);
  const full = await created(caller, name, sent);
  expectRecord(full, resource, sent);
  return { resource, caller, path: `/${name}`, minimal, full, sent };
}

function query(parameters: Readonly<Record<string, string>>): string {
  return new URLSearchParams(parameters).toString();
}

interface Stats {
  readonly total: number;
  readonly values: Readonly<Record<string, number>>;
}

describe.each(resources)("%s", (name) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await stageOf(name);
  });

  test("records come back as sent", async () => {
    const { caller, path, minimal, full } = stage;
    expect((await caller.get(`${path}/${full.id}`)).body).toEqual(full);
    const listed = await caller.list(`${path}?sort=-id`);
    expect(listed.status, listed.text).toBe(200);
    expect(listed.body.data[0]).toEqual(full);
    expect(listed.body.data).toContainEqual(minimal);
  });

  test("shows and compares linking and linked records", async () => {
    const { resource, caller, path } = stage;
    const links = resource.fields.filter(({ type }) => type === "belongsTo");
    const names = links.map(({ name: field }) => field.replace(/Id$/, ""));
    const inverses = rounds.resources
      .flatMap(({ fields }) => fields)
      .flatMap((field) => (field.resource === name && field.inverse ? [field.inverse] : []));
    for (const link of names.flatMap((one) => [one, `${one}Record`])) {
      const include = await caller.list(`${path}?${query({ include: link })}`);
      if (include.status === 400) continue;
      expect(include.status, include.text).toBe(200);
      for (const row of include.body.data) expect(Object.keys(row).at(-1)).toBe(link);
      const where = await caller.list(`${path}?${query({ where: `{"${link}":{"id":null}}` })}`);
      expect(where, where.text).toMatchObject({ status: 200, body: { data: [] } });
    }
    for (const inverse of inverses) {
      const { body } = await caller.list(`${path}?${query({ include: inverse })}`);
      const all = { data: expect.any(Array), more: false };
      expect(body.data.map((row) => row[inverse])).toEqual(body.data.map(() => all));
      const where = await caller.list(`${path}?${query({ where: `{"${inverse}":{"some":{}}}` })}`);
      expect(where.status, where.text).toBe(200);
    }
  });

  test("sorts and filters by every field that allows it", async () => {
    const { resource, caller, path, full, sent } = stage;
    for (const { name: field, type } of resource.fields) {
      for (const sort of [field, `-${field}`]) {
        const reply = await caller.list(`${path}?${query({ sort })}`);
        expect(reply.status, `${sort}: ${reply.text}`).toBe(type === "text" ? 400 : 200);
      }
      const value = sent[field];
      const reply = await caller.list(`${path}?${query({ [`filter[${field}]`]: String(value) })}`);
      expect(reply.status, `${field}: ${reply.text}`).toBe(type === "text" ? 400 : 200);
      if (type === "text") continue;
      // The text "null" cannot be filtered for: it means empty.
      if (value !== "null") expect(reply.body.data, field).toContainEqual(full);
      const empty = await caller.list(`${path}?${query({ [`filter[${field}]`]: "" })}`);
      expect(empty.body.data.map((row) => row[field])).toEqual(empty.body.data.map(() => null));
    }
  });

  test("q searches strings only", async () => {
    const { resource, caller, path, full } = stage;
    const hasString = resource.fields.some(({ type }) => type === "string");
    const reply = await caller.list(`${path}?${query({ q: "TEXT 2 %_&=" })}`);
    expect(reply.status, reply.text).toBe(200);
    if (hasString) expect(reply.body.data).toContainEqual(full);
    else expect(reply.body.data).toEqual([]);
  });

  test("stats count every value of every enum and boolean", async () => {
    const { resource, caller, path } = stage;
    const countable = resource.fields.filter(({ type }) => type === "enum" || type === "boolean");
    const all = (await caller.list(`${path}?perPage=100`)).body.data;
    for (const { name: field, values = ["true", "false"] } of countable) {
      const reply = await caller.get<Stats>(`${path}/_stats?${query({ field })}`);
      expect(reply.status, reply.text).toBe(200);
      const counted = all.map((row) => row[field]).filter((value) => value !== null);
      const expected = values.map((value) => [
        value,
        counted.filter((one) => String(one) === value).length,
      ]);
      expect(Object.entries(reply.body.values).sort()).toEqual(expected.sort());
      expect(reply.body.total).toBe(all.length);
    }
    expect((await caller.get<Stats>(`${path}/_stats`)).body.values).toEqual({});
  });

  test("a unique value is taken only once", async () => {
    const { resource, caller, path, sent } = stage;
    for (const field of resource.fields.filter(({ unique }) => unique)) {
      const other = await rounds.bodyOf(resource, neededFields(resource), 6);
      const reply = await caller.post(path, { ...other, [field.name]: sent[field.name] });
      expect(reply.status, reply.text).toBe(422);
      expect(reply.body).toMatchObject({ issues: [{ path: field.name }] });
    }
  });

  test("values that are unique together are taken only once", async () => {
    const { resource, caller, path, sent } = stage;
    for (const fields of resource.unique ?? []) {
      const needed = neededFields(resource);
      const same = Object.fromEntries(fields.map((field) => [field, sent[field] ?? null]));
      const other = { ...(await rounds.bodyOf(resource, needed, 7)), ...same };
      expect(paths(await caller.post(path, other))).toEqual(fields.toSorted());
      const last = fields.at(-1) ?? "";
      const { id } = await created(caller, resource.name, { ...other, [last]: null });
      const change = { [last]: sent[last] ?? null };
      expect(paths(await caller.patch(`${path}/${id}`, change))).toEqual(fields.toSorted());
      expect((await caller.delete(`${path}/${id}`)).status).toBe(204);
    }
  });

  test("each field changes alone, and all together", async () => {
    const { resource, caller, path, full, sent } = stage;
    let values = sent;
    for (const field of resource.fields) {
      const change: Json[] = [await rounds.sampleOf(resource, field, 3)];
      if (!field.required) change.unshift(null);
      for (const value of field.values ?? change) {
        const reply = await caller.patch(`${path}/${full.id}`, { [field.name]: value });
        expect(reply.status, `${field.name}: ${reply.text}`).toBe(200);
        values = { ...values, [field.name]: value };
        expectRecord(reply.body, resource, values);
      }
    }
    const whole = await rounds.bodyOf(resource, resource.fields, 4);
    const replaced = await caller.put(`${path}/${full.id}`, whole);
    expect(replaced.status, replaced.text).toBe(200);
    expectRecord(replaced.body, resource, whole);
    const required = resource.fields.filter((field) => field.required);
    const least = await rounds.bodyOf(resource, required, 5);
    const cleared = await caller.put(`${path}/${full.id}`, least);
    expect(cleared.status, cleared.text).toBe(200);
    expectRecord(cleared.body, resource, least);
  });

  test("a deleted record is not found", async () => {
    const { caller, path, minimal, full } = stage;
    for (const { id } of [minimal, full]) {
      const reply = await caller.delete(`${path}/${id}`);
      expect(reply.status, reply.text).toBe(204);
      expect((await caller.get(`${path}/${id}`)).status).toBe(404);
    }
  });
});

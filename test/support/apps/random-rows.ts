import pg from "pg";
import { expect } from "vitest";
import { usualColumn, usualTable } from "../../../generator/model/names.js";
import type { Options, RandomApp, RandomField, RandomResource, Release } from "./random-release.js";

/** Rows by the resource's id, in the order of their ids, each column as JSON shows it. */
export type Rows = ReadonlyMap<number, readonly Readonly<Record<string, unknown>>[]>;

const rowsEach = 5;

/** A few rows in each table; those that the table refuses are left out. */
export async function fillTables(client: pg.Client, app: RandomApp): Promise<void> {
  for (let at = 0; at < rowsEach; at++) {
    await client.query("insert into service.users (id, name, email) values ($1, 'A', $2)", [
      idOf(-1, at),
      `a${at}@example.com`,
    ]);
  }
  for (const resource of app) {
    for (let at = 0; at < rowsEach; at++) await insert(client, resource, at);
  }
}

async function insert(client: pg.Client, resource: RandomResource, at: number): Promise<void> {
  const { id, name, fields } = resource;
  const columns = ["id", ...fields.map((field) => usualColumn(field.name))];
  const values = fields.map((field) => valueAt(field, id, at));
  for (const [place, { options, name: field }] of fields.entries()) {
    const value = values[place];
    if ((options.type === "image" || options.type === "file") && value !== null) {
      await client.query(
        "insert into service.uploads (key, resource, field, details) values ($1, $2, $3, '{}')",
        [value, name, field],
      );
    }
  }
  const listed = columns.map((column) => pg.escapeIdentifier(column)).join(", ");
  const places = columns.map((_, index) => `$${index + 1}`).join(", ");
  const table = pg.escapeIdentifier(usualTable(name));
  await client
    .query(`insert into ${table} (${listed}) values (${places})`, [idOf(id, at), ...values])
    .catch((error: unknown) => {
      const isRefused = error instanceof pg.DatabaseError && error.code?.startsWith("23");
      if (!isRefused) throw error;
    });
}

function idOf(resource: number, at: number): string {
  return `00000000-0000-7000-8000-${String((resource + 2) * 1000 + at).padStart(12, "0")}`;
}

function valueAt({ id, options }: RandomField, resource: number, at: number): unknown {
  if (options.required !== true && (id + at) % 3 === 0) return null;
  return presentValue(options, { resource, id, at });
}

function presentValue(
  options: Options,
  { resource, id, at }: { readonly resource: number; readonly id: number; readonly at: number },
): unknown {
  const pick = (values: readonly unknown[]) =>
    values[(options.unique === true ? at : (id + at) % 2) % values.length];
  switch (options.type) {
    case "string":
    case "text":
      return pick(["7", "red", "true", "8", "x"]);
    case "number":
      if (options.integer === true) return pick([7, 3, 4, 5, 6]);
      return options.decimals === 0 ? pick([7, 3, 4, 5, 6]) : pick([7, 1.5, 2, 3, 4]);
    case "boolean":
      return at % 2 === 0;
    case "enum":
      return pick(Array.isArray(options.values) ? options.values : []);
    case "date":
      return pick(["2024-02-29", "2024-03-01", "2024-03-02", "2024-03-03", "2024-03-04"]);
    case "timestamp":
      return id % 2 === 0 ? `2024-03-0${at + 1}T00:00:00.000Z` : `2024-03-0${at + 1}T10:11:12.345Z`;
    case "belongsTo":
      return idOf(Number(options.resource), at % 2);
    default:
      return `key/${resource}/${id}/${at}`;
  }
}

export async function readRows(client: pg.Client, app: RandomApp): Promise<Rows> {
  const found = new Map<number, readonly Readonly<Record<string, unknown>>[]>();
  for (const { id, name } of app) {
    const { rows } = await client.query(
      `select to_jsonb(one) as row from public.${pg.escapeIdentifier(usualTable(name))} as one order by id`,
    );
    found.set(
      id,
      rows.map(({ row }) => row),
    );
  }
  return found;
}

/** Expects every value of a field in both releases to be the same, in the form of its new kind. */
export function isKept({ before, after }: Release, former: Rows, now: Rows): void {
  for (const resource of after) {
    const earlier = before.find(({ id }) => id === resource.id);
    if (earlier === undefined) continue;
    const rows = now.get(resource.id) ?? [];
    const formerRows = former.get(resource.id) ?? [];
    expect(rows.map(({ id }) => id)).toEqual(formerRows.map(({ id }) => id));
    for (const field of resource.fields) {
      const one = earlier.fields.find(({ id }) => id === field.id);
      for (const [at, row] of rows.entries()) {
        const value = row[usualColumn(field.name)];
        const was = one === undefined ? null : (formerRows[at]?.[usualColumn(one.name)] ?? null);
        expect(canonical(value), field.name).toEqual(canonical(expected(was, one, field)));
      }
    }
  }
}

/** An empty value becomes the default if the field is new, or has become required. */
function expected(
  was: unknown,
  one: RandomField | undefined,
  { options, renamed }: RandomField,
): unknown {
  if (was !== null) return renamed?.[String(was)] ?? was;
  const isFilled = one === undefined || options.required === true;
  return isFilled ? (defaultIn(options) ?? null) : null;
}

function defaultIn({ default: usual, maxLength, max, min }: Options): unknown {
  if (typeof usual === "string" && typeof maxLength === "number" && usual.length > maxLength) {
    return undefined;
  }
  if (typeof usual === "number" && typeof max === "number" && usual > max) return undefined;
  return typeof usual === "number" && typeof min === "number" && usual < min ? undefined : usual;
}

/** One form for equal moments, numbers and texts. */
function canonical(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = String(value);
  if (/^\d{4}-\d{2}-\d{2}/.test(text)) return new Date(text).toISOString();
  return Number.isFinite(Number(text)) ? String(Number(text)) : text;
}

import { expect } from "vitest";
import { type Client, client, type Json, type Row } from "../http/client.js";
import type { RunningApp } from "./app.js";
import { created } from "./shop.js";

/** A resource as `GET /api/_service/resources` describes it. */
export interface Descriptor {
  readonly name: string;
  readonly path: string;
  readonly fields: readonly FieldDescriptor[];
  readonly unique?: readonly (readonly string[])[];
  readonly access: Readonly<Record<string, string | readonly string[]>>;
}

export interface FieldDescriptor {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly unique: boolean;
  readonly default?: Json;
  readonly values?: readonly string[];
  readonly resource?: string;
  readonly inverse?: string;
  readonly min?: number;
  readonly decimals?: number;
  readonly integer?: boolean;
}

export type Body = Readonly<Record<string, Json>>;

/** Makes callers and bodies for any app from its own description alone. */
export interface Rounds {
  readonly resources: readonly Descriptor[];
  /** A caller who may create, change and delete records of the resource. */
  callerOf(resource: Descriptor): Promise<Client>;
  /** A valid value of the field, different for each number. */
  sampleOf(resource: Descriptor, field: FieldDescriptor, number: number): Promise<Json>;
  bodyOf(
    resource: Descriptor,
    fields: readonly FieldDescriptor[],
    number: number,
  ): Promise<Record<string, Json>>;
}

/** Values that a create requires. */
export function neededFields({ fields }: Descriptor): readonly FieldDescriptor[] {
  return fields.filter((field) => field.required && field.default === undefined);
}

export async function openRounds(app: RunningApp): Promise<Rounds> {
  const admin = client(app.url, app.token);
  const described = await admin.get<{ data: Descriptor[] }>("/_service/resources");
  const resources = described.body.data;
  const me = await admin.get<{ user: { id: string } }>("/auth/me");
  const callers = new Map<string, Promise<Client>>();
  let made = 1000;

  function callerOf({ access }: Descriptor): Promise<Client> {
    const rule = access.create;
    const role = Array.isArray(rule) ? String(rule[0]) : "admin";
    const caller = callers.get(role) ?? signedIn(role);
    callers.set(role, caller);
    return caller;
  }

  async function signedIn(role: string): Promise<Client> {
    return client(app.url, role === "admin" ? app.token : await app.signIn(role));
  }

  async function sampleOf(resource: Descriptor, field: FieldDescriptor, number: number) {
    if (field.type === "belongsTo") return linked(field.resource ?? "");
    if (field.type === "image" || field.type === "file") return uploaded(resource, field);
    return plainValue(field, number);
  }

  async function bodyOf(
    resource: Descriptor,
    fields: readonly FieldDescriptor[],
    number: number,
  ): Promise<Record<string, Json>> {
    const body: Record<string, Json> = {};
    for (const field of fields) body[field.name] = await sampleOf(resource, field, number);
    return body;
  }

  async function linked(name: string): Promise<string> {
    if (name === "users") return me.body.user.id;
    const target = resources.find((resource) => resource.name === name);
    if (target === undefined) throw new Error(`No resource ${name}`);
    made += 1;
    const body = await bodyOf(target, neededFields(target), made);
    return (await created(await callerOf(target), name, body)).id;
  }

  async function uploaded({ name }: Descriptor, field: FieldDescriptor): Promise<string> {
    made += 1;
    const key = `${name}/${field.name}/2026/01/${made}-file.bin`;
    await app.db.query(
      "insert into service.uploads (key, resource, field, details) values ($1, $2, $3, $4)",
      [key, name, field.name, JSON.stringify(detailsOf(key))],
    );
    return key;
  }

  return { resources, callerOf, sampleOf, bodyOf };
}

/** Details of a file that an upload stores and a record shows. */
export function detailsOf(key: string) {
  const url = `/api/_service/files/${key}`;
  const about = { mime: "application/pdf", size: 1, width: null, height: null };
  return { key, url, name: "file.bin", ...about, optimised: false, renditions: {} };
}

function plainValue(field: FieldDescriptor, number: number): Json {
  const { type, values = [], min = 0, decimals = 0, integer = false } = field;
  switch (type) {
    case "string":
      return `Text ${number} %_&=+;é🎉`;
    case "text":
      return `Line ${number}\n\t"quoted" 'text' \\ \u2028`;
    case "number":
      return min + (number % 5) + (integer ? 0 : 0.5 ** Math.min(decimals || 3, 3));
    case "boolean":
      return number % 2 === 0;
    case "enum":
      return values[number % values.length] ?? null;
    case "date":
      return `2024-02-${String(10 + (number % 20)).padStart(2, "0")}`;
    case "timestamp":
      return `2024-02-29T12:34:56.${String(number % 1000).padStart(3, "0")}Z`;
    default:
      throw new Error(`No values of the type ${type}`);
  }
}

/** Fails unless the record has exactly the resource's keys in its order, and these values. */
export function expectRecord(row: Row, { fields }: Descriptor, values: Body): void {
  const keys = fields.flatMap(({ name, type }) =>
    type === "image" || type === "file" ? [name, `${name}File`] : [name],
  );
  expect(Object.keys(row)).toEqual(["id", ...keys, "createdAt", "updatedAt"]);
  for (const { name, type } of fields) {
    const value = Object.hasOwn(values, name) ? (values[name] ?? null) : null;
    expect(row[name], name).toEqual(value);
    if (type !== "image" && type !== "file") continue;
    expect(row[`${name}File`]).toEqual(value === null ? null : detailsOf(String(value)));
  }
}

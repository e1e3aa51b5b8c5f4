import { expect } from "vitest";
import { type Client, client, type Json, type Reply, type Row } from "../http/client.js";
import { type RunningApp, startApp } from "./app.js";

/** The shop of `fixtures/apps/shop` on a separate database, with one caller of each kind. */
export interface Shop {
  readonly app: RunningApp;
  readonly admin: Client;
  readonly editor: Client;
  /** Signed in, without a role. */
  readonly member: Client;
  readonly anonymous: Client;
  /** A category for products that need one. */
  readonly category: Row;
  /** A complete product as a body, with replaced fields. */
  product(name: string, fields?: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

export async function openShop(): Promise<Shop> {
  const app = await startApp("apps/shop");
  const admin = client(app.url, app.token);
  const category = await created(admin, "categories", { name: "Everything" });
  return {
    app,
    admin,
    editor: client(app.url, await app.signIn("editor")),
    member: client(app.url, await app.signIn(null)),
    anonymous: client(app.url, null),
    category,
    product: (name, fields = {}) => ({ name, price: 1, categoryId: category.id, ...fields }),
  };
}

let names = 0;

/** A name that no record has, because a retried test finds the records of its first attempt. */
export function newName(name: string): string {
  names += 1;
  return `${name} ${names}`;
}

/** Creates a record; fails the test if the answer is not 201. */
export async function created(
  caller: Client,
  resource: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<Row> {
  const reply = await caller.post(`/${resource}`, fields);
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}

/** The values of one field in a list's answer, in its order. */
export async function column(caller: Client, path: string, field: string): Promise<Json[]> {
  const reply = await caller.list(path);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.data.map((row) => row[field] ?? null);
}

/** Fails unless the answer is this refusal, with `{ error }` in JSON and only the given members. */
export function expectRefusal(reply: Reply, status: number, keys: readonly string[] = []): void {
  expect(reply.status, reply.text).toBe(status);
  expect(reply.headers["content-type"]).toMatch(/^application\/json/);
  const body = reply.body as Record<string, unknown>;
  expect(Object.keys(body)).toEqual(["error", ...keys]);
  expect(body.error).toEqual(expect.stringMatching(/./));
}

/** The paths of a 422, each once, sorted. */
export function paths(reply: Reply): string[] {
  expectRefusal(reply, 422, ["issues"]);
  return namesIn(reply, "path");
}

/** The parameters of a 400, each once, sorted. */
export function parameters(reply: Reply): string[] {
  expectRefusal(reply, 400, ["issues"]);
  return namesIn(reply, "param");
}

function namesIn(reply: Reply, key: "path" | "param"): string[] {
  const { issues } = reply.body as { issues: Record<string, unknown>[] };
  for (const issue of issues) {
    expect(issue).toEqual({ [key]: expect.any(String), message: expect.stringMatching(/./) });
  }
  return [...new Set(issues.map((issue) => String(issue[key])))].sort();
}

import { expect } from "vitest";
import type { Database } from "../../../runtime/db/index.js";
import { expectRefusal } from "../apps/shop.js";
import type { Client, Json, Reply } from "../http/client.js";
import type { Record } from "../query-model.js";
import {
  type Action,
  type Asker,
  files,
  type OwnPolicies,
  type Rights,
  type Rows,
  type Ruled,
} from "./model.js";

/** Resources of an app whose every response is compared with the model of who may see and do what. */
export interface RuledWorld {
  readonly db: Database;
  readonly described: readonly Ruled[];
  readonly callers: readonly RuledCaller[];
  readonly policies?: OwnPolicies;
  /** Values of each plain field, by its name. */
  readonly values: { readonly [field: string]: readonly Json[] };
}

export interface RuledCaller extends Asker {
  readonly client: Client;
}

/** Chooses one of several things; the same choices for the same numbers. */
export type Deal = <T>(all: readonly T[]) => T;

export function dealer(numbers: readonly number[]): Deal {
  let next = 0;
  return <T>(all: readonly T[]): T => {
    next += 1;
    return all[(numbers[next % numbers.length] ?? 0) % all.length] as T;
  };
}

/** Of a caller and a resource, on an app as it is now. */
export interface Request {
  readonly world: RuledWorld;
  readonly rights: Rights;
  readonly caller: RuledCaller;
  readonly resource: string;
  readonly deal: Deal;
}

export const nowhere = "00000000-0000-4000-8000-000000000000";

/** Every record, read past the API. */
export async function stored({ db, described }: RuledWorld): Promise<Rows> {
  const rows: Rows = new Map();
  for (const { name, fields } of described) {
    const columns = fields.map((field) => {
      const column = columnOf(field.name);
      const details = `(select details from service.uploads where key = ${column})`;
      const file = field.type === "file" ? `, '${field.name}File', ${details}` : "";
      return `'${field.name}', ${column}${file}`;
    });
    const found = await db.query<{ json: Record }>(
      `select json_build_object('id', id, ${columns.join(", ")}, 'createdAt', service.iso_time(created_at), 'updatedAt', service.iso_time(updated_at)) as json from ${name} order by id`,
    );
    rows.set(
      name,
      found.map(({ json }) => json),
    );
  }
  rows.set(files, [
    ...(await db.query<Record>("select key, resource, field from service.uploads order by key")),
  ]);
  rows.set("users", [...(await db.query<Record>("select id, name from service.users"))]);
  return rows;
}

export function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A value for a field, of links one to any record or to none. */
export function valueFor(request: Request, field: Ruled["fields"][number]): Json {
  const { world, rights, deal } = request;
  const { name, type, resource = "" } = field;
  if (type === "file") {
    const keys = rights.rowsOf(files).map(({ key = null }) => key);
    const own = keys.filter((key) => rights.isFileOf(request.resource, name, key));
    return deal([null, ...own, ...own, ...keys, "none/such/2026/01/file.pdf"]);
  }
  if (type !== "belongsTo") return deal(world.values[name] ?? [null]);
  const all = resource === "users" ? accountsOf(world) : rights.rowsOf(resource);
  const ids = all.map(({ id }) => id ?? null);
  return deal([...ids, ...ids, nowhere]);
}

/** The callers that have an account. */
function accountsOf({ callers }: RuledWorld): readonly RuledCaller[] {
  return callers.filter(({ isVisitor }) => !isVisitor);
}

export interface Condition {
  readonly where: Record;
  /** Whether it names fields that the caller may not read. */
  readonly isClosed: boolean;
  /** Whether it reaches resources that the caller may not list. */
  readonly isShut: boolean;
}

export function conditionOn(request: Request, resource: string, depth = 0): Condition {
  const { world, rights, caller, deal } = request;
  const relations = rights.relationsOf(resource);
  if (depth < 3 && relations.length > 0 && deal([true, true, false])) {
    const relation = deal(relations);
    const { name, resource: to, isInverse } = relation;
    const inner = conditionOn(request, to, depth + 1);
    const wanted = isInverse ? { [deal(["some", "none"])]: inner.where } : inner.where;
    const related: Record = { [name]: wanted };
    return {
      where: deal([true, false]) ? related : { not: related },
      isClosed: inner.isClosed || rights.isHidden(caller, resource, relation),
      isShut: inner.isShut || rights.isShut(caller, to, "list"),
    };
  }
  if (resource === "users") {
    const where = { id: deal([...accountsOf(world).map(({ id }) => id), nowhere]) };
    return { where, isClosed: false, isShut: false };
  }
  const fields = rights
    .of(resource)
    .fields.filter(({ type }) => type !== "file" && type !== "text");
  const field = deal(fields);
  const value = valueFor(request, field);
  const where = { [field.name]: deal([value, { ne: value }]) };
  const isClosed = rights.closed(caller, resource, "read").includes(field.name);
  return { where, isClosed, isShut: false };
}

/** Sort key of a list: a field of the record, or of one over up to two links. */
export function sortOn(
  request: Request,
  resource: string,
  links = 2,
): { readonly by: string } & Omit<Condition, "where"> {
  const { rights, caller, deal } = request;
  const all = rights.relationsOf(resource).filter(({ isInverse }) => !isInverse);
  const relation = links === 0 ? null : deal([null, ...all]);
  if (relation !== null) {
    const inner = sortOn(request, relation.resource, links - 1);
    return {
      by: `${relation.name}.${inner.by}`,
      isClosed: inner.isClosed || rights.isHidden(caller, resource, relation),
      isShut: inner.isShut || rights.isShut(caller, relation.resource, "list"),
    };
  }
  if (resource === "users") return { by: deal(["id", "name"]), isClosed: false, isShut: false };
  const fields = rights
    .of(resource)
    .fields.filter(({ type }) => type !== "file" && type !== "text");
  const by = deal(["id", ...fields.map(({ name }) => name)]);
  const isClosed = rights.closed(caller, resource, "read").includes(by);
  return { by, isClosed, isShut: false };
}

/**
 * Whether a query is refused as the model says: by the rule, by what it names or reaches, by the policy. Of a
 * closed name and a closed resource either may be told.
 */
export function isRefused(
  { rights, caller, resource }: Request,
  action: Action,
  { isClosed, isShut }: Pick<Condition, "isClosed" | "isShut">,
  reply: Reply,
): boolean {
  if (rights.scope(caller, resource, action) === "none") {
    expectRefusal(reply, rights.refusal(caller));
    return true;
  }
  if (isClosed && isShut) {
    expect([400, 403], reply.text).toContain(reply.status);
    return true;
  }
  if (isClosed) {
    expectRefusal(reply, 400, ["issues"]);
    return true;
  }
  if (!isShut && rights.agrees(caller, resource, action)) return false;
  expectRefusal(reply, 403);
  return true;
}

/** What the caller sees of a record's table by that action and condition. */
export function foundBy(
  { rights, caller, resource }: Request,
  action: Action,
  { where, q }: { readonly where: Record; readonly q: string },
): readonly Record[] {
  const view = rights.view(caller);
  const closed = rights.closed(caller, resource, "read");
  const strings = rights
    .of(resource)
    .fields.filter(({ type, name }) => type === "string" && !closed.includes(name));
  return rights.reached(caller, resource, action).filter((row) => {
    const isMeant = q === "" || strings.some(({ name }) => String(row[name] ?? "").includes(q));
    return isMeant && view.fulfils(resource, rights.shown(caller, resource, row), where);
  });
}

import { Refusal } from "../../errors/index.js";
import { answerRead } from "../../http/index.js";
import type {
  Actor,
  Caller,
  GetQuery,
  ListQuery,
  Page,
  ResourceClient,
  ShownQuery,
} from "../../own-code/index.js";
import { clientName } from "../../values/api/client-name.js";
import { definedOnly } from "../hooks/run.js";
import { answerList } from "../list/list.js";
import { blameAppCode } from "../own-code/blame.js";
import { appTransaction, handled } from "../own-code/context.js";
import { holdRecord, type Named, whileUpdating } from "../own-code/reads.js";
import { appRecord } from "../record/app-record.js";
import { getRecord, idOrNotFound, storedRecord } from "../record/read.js";
import { ownedBy } from "../rights/body.js";
import { writableBy } from "../rights/writable.js";
import { idFormOf } from "../table/column-keys.js";
import type { ResourceDefinition } from "../table/definition.js";
import { roundedDecimals } from "../table/rounded.js";
import type { Table } from "../table/table.js";
import { callerToCheck, createOf, replaceOf, updateOf } from "../write/make.js";
import { begin, type OwnResource, write } from "./acting.js";
import { checkCaller, judged, trusted } from "./actors.js";
import { remove, restore } from "./deleting.js";
import { askingForChange, noted, type ShownParts } from "./reading.js";
import { contextOf, queryOf, textOf } from "./request.js";

type Client = ResourceClient<object, Record<string, unknown>>;
type Changes = Parameters<Client["update"]>[1];
type Clients = Readonly<Record<string, Client>>;
type AppClients = Clients & { as(caller: Caller | null): Clients };

/**
 * Creates `resources`, with a client for each resource by its name in camel case. `actor` is determined per call.
 * Access rules and policies apply only to callers passed to `as`.
 */
export function resourceClients(
  definitions: readonly ResourceDefinition[],
): (actor: () => Actor) => AppClients {
  const named = definitions.map(
    (definition) => [clientName(definition.table.resource), definition] as const,
  );
  const clientsOf = (actor: () => Actor): Clients => {
    const clients = {};
    for (const [name, definition] of named) {
      // Created on first use: an app may have hundreds of resources, and a hook uses few.
      Object.defineProperty(clients, name, {
        get: () => clientOf(definition, actor),
        enumerable: true,
      });
    }
    return clients;
  };
  return (actor) => {
    const clients = clientsOf(() => trusted(actor()));
    const as = (caller: Caller | null) => {
      if (caller !== null) checkCaller(actor(), caller);
      return clientsOf(() => judged(actor(), caller));
    };
    return Object.defineProperty(clients, "as", { value: as }) as AppClients;
  };
}

function clientOf(definition: ResourceDefinition, actorOf: () => Actor): Client {
  const own = { definition, actorOf };
  const client = {
    list: (query) => handled(list(own, query)),
    get: (id, query) => handled(get(own, id, query)),
    create: (values) => handled(create(own, values)),
    update: (id, changes) =>
      handled(
        typeof changes === "function" ? updateBy(own, id, changes) : update(own, id, changes),
      ),
    replace: (id, values) => handled(replace(own, id, values)),
    restore: (id) => handled(restore(own, id)),
    delete: (id, options) => handled(remove(own, id, options)),
    count: (query = {}) => {
      const page = list(own, { ...query, perPage: 1, fields: ["id" as never] });
      return handled(page.then(({ meta }) => meta.total));
    },
  } satisfies Omit<Client, "list"> & { list(query?: ListQuery<object>): Promise<Page<object>> };
  return client as Client;
}

async function list(own: OwnResource, query: ListQuery<object> = {}): Promise<Page<object>> {
  const { table } = own.definition;
  const actor = await begin(own, "list");
  const plain = definedOnly(query);
  // App code does not write deleted records, so their versions need not be recorded.
  const reads = query.trash === undefined ? actor.reads : undefined;
  try {
    const requested = reads === undefined ? plain : askingForChange(table, plain);
    const answer = await answerList(table, requested, contextOf(actor));
    const page = appRecord(actor.services, await textOf(answer));
    if (reads !== undefined) {
      for (const one of page.data) noted(reads, { table, record: one }, plain);
    }
    return page;
  } catch (error) {
    throw blameQuery(actor, table, error);
  }
}

function blameQuery(actor: Actor, { resource }: Table<never>, error: unknown): unknown {
  if (!(error instanceof Refusal) || error.status !== 400) return error;
  const wrong = JSON.stringify(error.issues ?? error.message);
  return blameAppCode(actor, error, `made an invalid query for ${resource}: ${wrong}`);
}

async function get(
  own: OwnResource,
  id: string,
  { lock = false, ...shown }: GetQuery<object> = {},
): Promise<object | null> {
  const { table } = own.definition;
  const actor = await begin(own, "get");
  const reads = shown.trash === undefined ? actor.reads : undefined;
  if (reads === undefined) {
    if (!lock) return getFrom(actor, { table, id }, shown);
    throw new Error("Locks need a transaction: that of a before hook, or app.transaction");
  }
  if ((lock || reads.isLocking) && idFormOf(table).isId(id)) {
    await holdRecord(reads, actor.services.db, { table, id });
  }
  const record = await getFrom(actor, { table, id }, askingForChange(table, shown));
  return record === null ? null : noted(reads, { table, record }, shown as ShownParts);
}

async function getFrom(
  actor: Actor,
  { table, id }: Named,
  shown: ShownQuery<object>,
): Promise<Record<string, unknown> | null> {
  const context = contextOf(actor, { params: { id }, query: queryOf(shown) });
  try {
    const answer = await answerRead(getRecord(table)(context), context);
    return appRecord(actor.services, await textOf(answer));
  } catch (error) {
    if (error instanceof Refusal && error.code === "NOT_FOUND") return null;
    throw blameQuery(actor, table, error);
  }
}

function create(own: OwnResource, values: Record<string, unknown>): Promise<object> {
  const { table, shapes } = own.definition;
  return write(own, "create", (caller, actor) => {
    const given = roundedDecimals(shapes.create, definedOnly(values));
    const owned = ownedBy(actor.caller, table, given);
    return createOf(table, shapes.create, { caller, values: owned });
  });
}

function update(own: OwnResource, id: string, changes: Record<string, unknown>): Promise<object> {
  const { table, shapes } = own.definition;
  return write(own, "update", (caller) => {
    const values = roundedDecimals(shapes.update, definedOnly(changes));
    return updateOf(table, shapes.update, {
      caller,
      id: idOrNotFound(table, id),
      ifMatch: null,
      values,
    });
  });
}

/** Updates the record with the changes that the function returns, in the actor's transaction or in a separate one. */
async function updateBy(
  own: OwnResource,
  id: string,
  make: Extract<Changes, (record: never) => unknown>,
): Promise<object> {
  const { table } = own.definition;
  const actor = await begin(own, "update");
  const { reads, services, caller } = actor;
  const record = { table, id: idOrNotFound(table, id) };
  if (reads === undefined) {
    const name = clientName(table.resource);
    return appTransaction(actor, { what: `the function of ${name}.update` }, ({ resources }) => {
      const all = resources as AppClients;
      const clients = services.isTrusted === true ? all : all.as(caller);
      return clients[name]?.update(id, make) ?? Promise.reject(new Error(`No resource ${name}`));
    });
  }
  await holdRecord(reads, services.db, record);
  const view = writableBy(callerToCheck(actor), table, "update");
  const account = callerToCheck(actor)?.accountId ?? null;
  const { json } = await storedRecord(services.db, { view, account }, id);
  const changes: unknown = await whileUpdating(reads, record, async () =>
    make(appRecord(services, json)),
  );
  if (typeof changes === "object" && changes !== null && !Array.isArray(changes)) {
    return update(own, id, { ...changes });
  }
  throw new TypeError(
    `The function passed to update of "${table.resource}" must return an object with the changes`,
  );
}

function replace(own: OwnResource, id: string, sent: Record<string, unknown>): Promise<object> {
  const { table, shapes } = own.definition;
  return write(own, "update", (caller) => {
    const values = roundedDecimals(shapes.replace, definedOnly(sent));
    return replaceOf(table, shapes.replace, {
      caller,
      id: idOrNotFound(table, id),
      ifMatch: null,
      values,
    });
  });
}

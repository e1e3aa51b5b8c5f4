import type { IncomingMessage } from "node:http";
import { v7 as uuid } from "uuid";
import { Refusal, refuse } from "../../errors/index.js";
import {
  type Answer,
  answerRead,
  type Context,
  isAllowed,
  refuseByRule,
} from "../../http/index.js";
import type {
  Actor,
  Caller,
  ListQuery,
  Page,
  ResourceClient,
  ShownQuery,
} from "../../own-code/index.js";
import { clientName } from "../../values/client-name.js";
import { isUuid } from "../../values/uuid.js";
import { definedOnly } from "../hooks/before.js";
import { answerList } from "../list/list.js";
import { blameOwnCode, wrongValues } from "../own-code/blame.js";
import { handled } from "../own-code/context.js";
import { getRecord } from "../record/read.js";
import { ownedBy } from "../rights/body.js";
import { isValid } from "../table/body.js";
import type { Action, ResourceDefinition } from "../table/definition.js";
import { roundedDecimals } from "../table/rounded.js";
import { callerToCheck, changeOf, createOf, deleteOf } from "../write/make.js";
import type { Write } from "../write/operation.js";
import { runWrite } from "../write/run.js";
import { separately } from "../write/ways.js";

type Client = ResourceClient<object, Record<string, unknown>>;
type Clients = Readonly<Record<string, Client>>;
type OwnClients = Clients & { as(caller: Caller): Clients };

/**
 * Creates `resources` for the actor of each call: a client for each resource, by its name in camelCase. Access
 * rules and policies apply only to a caller that `as` names.
 */
export function resourceClients(
  definitions: readonly ResourceDefinition[],
): (actor: () => Actor) => OwnClients {
  const named = definitions.map(
    (definition) => [clientName(definition.table.resource), definition] as const,
  );
  const clientsOf = (actor: () => Actor): Clients => {
    const clients = {};
    for (const [name, definition] of named) {
      // An app may have hundreds of resources, and a hook uses few.
      Object.defineProperty(clients, name, {
        get: () => clientOf(definition, actor),
        enumerable: true,
      });
    }
    return clients;
  };
  return (actor) => {
    const clients = clientsOf(() => trusted(actor()));
    const as = (caller: Caller) => clientsOf(() => judged(actor(), caller));
    return Object.defineProperty(clients, "as", { value: as }) as OwnClients;
  };
}

/** The client of the app itself: neither access rules nor policies apply. */
function trusted(actor: Actor): Actor {
  return { ...actor, services: { ...actor.services, policies: {}, isTrusted: true } };
}

function judged(actor: Actor, caller: Caller): Actor {
  const { policies } = actor.services.ownCode;
  return { ...actor, caller, services: { ...actor.services, policies, isTrusted: false } };
}

function clientOf({ table, shapes, access }: ResourceDefinition, actorOf: () => Actor): Client {
  async function begin(action: Action): Promise<Actor> {
    const actor = actorOf();
    checkRule(actor, access[action]);
    return actor;
  }

  async function write(
    action: Action,
    make: (caller: Caller | null, actor: Actor) => Write,
  ): Promise<object> {
    const actor = await begin(action);
    let made: Write | undefined;
    try {
      const { record } = await runWrite(
        actor,
        () => {
          made = make(callerToCheck(actor), actor);
          return made;
        },
        separately,
      );
      return record === null ? {} : JSON.parse(record.json);
    } catch (error) {
      if (made === undefined || made.kind === "delete" || isValid(made.checked)) throw error;
      const wrong = wrongValues(made.checked);
      throw blameOwnCode(
        actor,
        error,
        `wrote values to ${table.resource} that cannot be stored: ${wrong}`,
      );
    }
  }

  async function list(query: ListQuery<object> = {}): Promise<Page<object>> {
    const actor = await begin("list");
    try {
      const answer = await answerList(table, definedOnly(query), contextOf(actor));
      return JSON.parse(await textOf(answer));
    } catch (error) {
      throw blameQuery(actor, error);
    }
  }

  function blameQuery(actor: Actor, error: unknown): unknown {
    if (!(error instanceof Refusal) || error.status !== 400) return error;
    const wrong = JSON.stringify(error.issues ?? error.message);
    return blameOwnCode(
      actor,
      error,
      `asked for ${table.resource} in a way that is refused: ${wrong}`,
    );
  }

  async function get(id: string, shown: ShownQuery<object> = {}): Promise<object | null> {
    const actor = await begin("get");
    const context = contextOf(actor, { params: { id }, query: queryOf(shown) });
    try {
      const answer = await answerRead(getRecord(table)(context), context);
      return JSON.parse(await textOf(answer));
    } catch (error) {
      if (error instanceof Refusal && error.code === "NOT_FOUND") return null;
      throw blameQuery(actor, error);
    }
  }

  const client = {
    list: (query?: ListQuery<object>) => handled(list(query)),
    get: (id, shown) => handled(get(id, shown)),
    create: (values) =>
      handled(
        write("create", (caller, actor) => {
          const own = roundedDecimals(shapes.create, definedOnly(values));
          const owned = ownedBy(actor.caller, table, own);
          return createOf(table, shapes.create, { caller, id: uuid(), values: owned });
        }),
      ),
    update: (id, changes) =>
      handled(
        write("update", (caller) => {
          const target = { caller, id: known(id), ifMatch: null };
          return changeOf("update", table, shapes.update, {
            ...target,
            values: roundedDecimals(shapes.update, definedOnly(changes)),
          });
        }),
      ),
    replace: (id, values) =>
      handled(
        write("update", (caller) => {
          const target = { caller, id: known(id), ifMatch: null };
          return changeOf("replace", table, shapes.replace, {
            ...target,
            values: roundedDecimals(shapes.replace, definedOnly(values)),
          });
        }),
      ),
    delete: (id) =>
      handled(
        write("delete", (caller) => deleteOf(table, { caller, id: known(id), ifMatch: null })).then(
          () => {},
        ),
      ),
    count: (query = {}) =>
      handled(
        list({ ...query, perPage: 1, fields: ["id" as never] }).then(({ meta }) => meta.total),
      ),
  } satisfies Omit<Client, "list"> & { list: unknown };
  return client as Client;
}

/** 401 and 403 by the access rule, as the API has them. */
function checkRule({ services, caller }: Actor, rule: ResourceDefinition["access"][Action]): void {
  if (services.isTrusted === true) return;
  if (caller === null || caller === undefined) refuse("UNAUTHENTICATED");
  if (!isAllowed(caller, rule)) refuseByRule(caller, rule);
}

/** Refuses with 404 an id that is not a UUID. */
function known(id: string): string {
  return isUuid(id) ? id : refuse("NOT_FOUND");
}

/** A request that nobody sent, for handlers that expect one. */
function contextOf(
  actor: Actor,
  { params = {}, query = "" }: Partial<Pick<Context, "params" | "query">> = {},
): Context {
  const request = { headers: {} } as IncomingMessage;
  return { ...actor, request, params, query };
}

async function textOf({ json, long }: Answer): Promise<string> {
  return long === undefined ? (json ?? "null") : (await long.make()).join("");
}

/** `fields` and `include` as they are in an address. */
function queryOf({ fields, include = {} }: ShownQuery<object>): string {
  const parameters = new URLSearchParams();
  if (fields !== undefined) parameters.set("fields", fields.join(","));
  const names = Object.keys(include);
  if (names.length > 0) parameters.set("include", names.join(","));
  for (const [name, options] of Object.entries(include)) {
    if (options === true || options === undefined) continue;
    for (const [option, value] of Object.entries(options)) {
      parameters.set(`include[${name}][${option}]`, String(value));
    }
  }
  return parameters.toString();
}

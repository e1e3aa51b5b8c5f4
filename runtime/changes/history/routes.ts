import { refuse } from "../../errors/index.js";
import {
  type Answer,
  type Context,
  type HandledRoute,
  isAllowed,
  Parameters,
} from "../../http/index.js";
import { idFormOf, type ResourceDefinition } from "../../resource/index.js";
import { openToken, sealToken } from "../../secret/index.js";
import { numberChangesOf, numberForRead } from "../log/numbered.js";
import { cut, type Entry, readEntries } from "./entries.js";
import { revert } from "./revert.js";
import { historyRule, type KnownRecord, knowRecord } from "./right.js";

/** The history routes below `/<resource>/:id`. */
export function historyRoutes(definitions: readonly ResourceDefinition[]): readonly HandledRoute[] {
  return definitions
    .filter(({ table }) => table.changes?.history != null)
    .flatMap((definition) => routesOf(definition));
}

function routesOf(definition: ResourceDefinition): readonly HandledRoute[] {
  const { table } = definition;
  const access = historyRule(definition);
  const path = `/${table.resource}/:id`;

  async function list(context: Context, { id, caller }: Known): Promise<Answer> {
    const { config, db } = context.services;
    const parameters = new Parameters(context.query);
    const perPage = parameters.takeInteger("perPage", { min: 1, max: 100, default: 25 });
    const cursor = parameters.take("cursor") ?? "";
    const about = `history:${table.resource}:${id}`;
    const before = cursor === "" ? null : openToken(config, cursor, about);
    if (cursor !== "" && before === null) {
      parameters.reject("cursor", "Must be the meta.next of a page of this record's history");
    }
    parameters.finish();
    const query = { role: caller.role, id, before, limit: perPage + 1 };
    const found = await readEntries(db, table, query);
    const shown = found.slice(0, perPage);
    const last = found.length > perPage ? shown.at(-1) : undefined;
    const next = last === undefined ? null : sealToken(config, last.id, about);
    const data = shown.map(({ changes, ...entry }) => ({
      ...seen(entry, context),
      changes: changes.map(cut),
    }));
    return { status: 200, json: JSON.stringify({ data, meta: { perPage, next } }) };
  }

  async function get(context: Context, { id, caller }: Known): Promise<Answer> {
    const only = context.params.entry ?? "";
    if (!/^\d{1,18}$/.test(only)) refuse("NOT_FOUND");
    const query = { role: caller.role, id, only, limit: 1 };
    const [entry] = await readEntries(context.services.db, table, query);
    return { status: 200, json: JSON.stringify(seen(entry ?? refuse("NOT_FOUND"), context)) };
  }

  /** Finds the record if the caller may read its history. Numbers its committed changes first. */
  async function find(context: Context): Promise<Known | null> {
    const { id = "" } = context.params;
    const { isId, usual } = idFormOf(table);
    if (!isId(id)) return null;
    const written = usual(id);
    const { services } = context;
    await numberForRead(services, () => numberChangesOf(services.db, table, [written]));
    const record = await knowRecord(context, definition, written);
    return record && { id: written, ...record };
  }

  const known =
    (work: (context: Context, known: Known) => Promise<Answer>) => async (context: Context) =>
      work(context, (await find(context)) ?? refuse("NOT_FOUND"));

  return [
    { method: "GET", path: `${path}/_history`, access, handle: known(list) },
    { method: "GET", path: `${path}/_history/:entry`, access, handle: known(get) },
    {
      method: "POST",
      path: `${path}/_revert`,
      access,
      handle: async (context) => revert(context, definition, await find(context)),
    },
  ];
}

interface Known extends KnownRecord {
  readonly id: string;
}

/**
 * Returns the entry as the caller may see it: names of other accounts and their tokens are only for callers who may
 * read profiles.
 */
function seen<Shown extends Pick<Entry, "by" | "token">>(
  entry: Shown,
  { caller, services }: Context,
): Omit<Shown, "token"> {
  const isNamed =
    caller !== null &&
    (entry.by?.id === caller.accountId || isAllowed(caller, services.config.auth.profiles));
  if (isNamed) return entry;
  const { token: _token, ...rest } = entry;
  return { ...rest, by: null };
}

import type { Access } from "../../../db/index.js";
import { type Context, Parameters } from "../../../http/index.js";
import { openToken, sealToken } from "../../../secret/index.js";
import { type EventKind, isEventKind } from "../../../values/api/event-kinds.js";
import { isUuid } from "../../../values/uuid.js";
import { keptDays } from "../../event/record.js";

/** An event as operators see it, with keys in the API's order. */
export interface ShownEvent {
  readonly id: string;
  readonly at: Date;
  readonly kind: EventKind;
  readonly account: Person;
  /** The account that caused the event; null for the command line. */
  readonly by: Person | null;
  /** The reason; omitted for kinds of events without one. */
  readonly reason?: string;
}

type StoredEvent = Omit<ShownEvent, "reason"> & { readonly reason: string | null };

interface Person {
  readonly id: string;
  /** Null once the account is deleted. */
  readonly email: string | null;
}

/** The requested events; null means all. */
export interface EventFilter {
  readonly accountId: string | null;
  readonly kind: EventKind | null;
}

interface EventQuery extends EventFilter {
  readonly now: Date;
  readonly limit: number;
  /** The events before this one; null for the newest. */
  readonly before: string | null;
}

/** Events of the last 400 days, newest first. */
export async function listEvents(
  db: Pick<Access, "read">,
  { accountId, kind, before, now, limit }: EventQuery,
): Promise<readonly ShownEvent[]> {
  const values: unknown[] = [now, limit];
  const conditions = [`e.id >= service.lowest_id($1::timestamptz - interval '${keptDays} days')`];
  if (accountId !== null) conditions.push(`e.account_id = $${values.push(accountId)}`);
  if (kind !== null) conditions.push(`e.kind = $${values.push(kind)}`);
  if (before !== null) conditions.push(`e.id < $${values.push(before)}`);
  const rows = await db.read<StoredEvent>({
    text: `select e.id, e.at, e.kind,
       json_build_object('id', e.account_id, 'email', account.email) as account,
       case when e.by_id is not null
         then json_build_object('id', e.by_id, 'email', doer.email)
       end as by,
       e.reason
     from service.account_events e
     left join service.users account on account.id = e.account_id
     left join service.users doer on doer.id = e.by_id
     where ${conditions.join(" and ")}
     order by e.id desc
     limit $2`,
    values,
    cost: "scan",
    isVaried: true,
  });
  return rows.map(({ reason, ...event }) => (reason === null ? event : { ...event, reason }));
}

/** The JSON of `GET /_service/account-events`. Refuses all invalid parameters (400). */
export async function eventsPage({ services, query }: Context): Promise<string> {
  const { config, clock, db } = services;
  const parameters = new Parameters(query);
  const perPage = parameters.takeInteger("perPage", { min: 1, max: 100, default: 25 });
  const filter = readFilter(parameters);
  const cursor = parameters.take("cursor") ?? "";
  const context = `account-events:${JSON.stringify([filter.accountId, filter.kind])}`;
  const before = cursor === "" ? null : openToken(config, cursor, context);
  if (cursor !== "" && before === null) {
    parameters.reject("cursor", "Must be the meta.next of a page with these filters");
  }
  parameters.finish();
  const page = { ...filter, before, now: clock.now(), limit: perPage + 1 };
  const found = await listEvents(db, page);
  const data = found.slice(0, perPage);
  const last = found.length > perPage ? data.at(-1) : undefined;
  const next = last === undefined ? null : sealToken(config, last.id, context);
  return JSON.stringify({ data, meta: { perPage, next } });
}

function readFilter(parameters: Parameters): EventFilter {
  let accountId: string | null = null;
  let kind: EventKind | null = null;
  for (const { param, field, operator, value } of parameters.takeFilters()) {
    if (operator !== null || (field !== "accountId" && field !== "kind")) {
      parameters.reject(param, "Unknown parameter");
    } else if (field === "accountId") {
      if (isUuid(value)) accountId = value.toLowerCase();
      else parameters.reject(param, "Must be an account's id");
    } else if (isEventKind(value)) kind = value;
    else parameters.reject(param, "Is not a kind of event");
  }
  return { accountId, kind };
}

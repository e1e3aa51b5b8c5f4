import { listEvents, type ShownEvent } from "../../auth/index.js";
import type { EventKind } from "../../values/api/event-kinds.js";
import { type AppServices, withAppServices } from "../app/services.js";
import { type ExitCode, exit } from "../exit.js";
import { sayAside, sayJson, sayTable, secondOf } from "../report.js";
import { accountIdOf } from "./account.js";

export interface UserEventsOptions {
  readonly email?: string;
  /** The id of an account, which may have been deleted. */
  readonly id?: string;
  readonly kind?: EventKind;
  readonly limit: number;
  readonly json?: true;
}

/** Lists account events, newest first. */
export async function listUserEvents(root: string, options: UserEventsOptions): Promise<ExitCode> {
  const { json } = options;
  const events = await withAppServices(root, (services) => findEvents(services, options));
  if (json) sayJson({ events });
  else if (events.length === 0) sayAside("No events match");
  else sayTable([heading, ...events.map(rowOf)]);
  return exit.done;
}

async function findEvents(
  services: AppServices,
  { email, id, kind, limit }: UserEventsOptions,
): Promise<readonly ShownEvent[]> {
  const { db, clock } = services;
  const accountId = email === undefined ? (id ?? null) : await accountIdOf(services, email);
  const query = { accountId, kind: kind ?? null, before: null, now: clock.now(), limit };
  return listEvents(db, query);
}

const heading = ["at (UTC)", "what", "account", "by"];

function rowOf({ at, kind, account, by, reason }: ShownEvent): readonly string[] {
  const what = reason === undefined ? kind : `${kind} (${reason})`;
  return [secondOf(at), what, nameOf(account), by === null ? "command line" : nameOf(by)];
}

/** Returns the address, or the id of a deleted account. */
function nameOf({ id, email }: ShownEvent["account"]): string {
  return email ?? id;
}

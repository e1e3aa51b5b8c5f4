import type pg from "pg";
import { setAll, setSession } from "./session-settings.js";

/**
 * Gives a new connection its settings. Refuses a standby: after a failover an address may still lead to one, which
 * answers reads with what it has received so far. A token that was revoked since might be accepted, and a client would
 * miss its own last write. A primary never becomes a standby without ending its connections, so asking once is enough.
 *
 * @throws {OnStandby}
 */
export async function prepareConnection(
  client: pg.ClientBase,
  limits: Readonly<Record<string, string | number>>,
): Promise<void> {
  // pg answers several statements with as many results, which its types do not tell.
  const answered: unknown = await client.query(setSession + setAll(limits) + isStandby);
  const last: unknown = Array.isArray(answered) ? answered.at(-1) : answered;
  const { rows } = last as pg.QueryResult<{ readonly standby: boolean }>;
  if (rows[0]?.standby !== false) throw new OnStandby();
}

const isStandby = "select pg_is_in_recovery() as standby";

/** The server only follows another one. It has the code with which PostgreSQL refuses a write there. */
class OnStandby extends Error {
  readonly severity = "FATAL";
  readonly code = "25006";
  constructor() {
    super("the server is a standby, which only reads");
  }
}

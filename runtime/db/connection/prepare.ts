import type pg from "pg";
import { setAll, setSession } from "./session-settings.js";

/**
 * Applies the settings to a new connection. Refuses a standby: after a failover, an address may still lead to one,
 * which returns outdated data. It might accept a revoked token, and clients would not see their last write. A primary
 * never becomes a standby without ending its connections, so one check is enough.
 *
 * @throws {OnStandby}
 */
export async function prepareConnection(
  client: pg.ClientBase,
  limits: Readonly<Record<string, string | number>>,
): Promise<void> {
  // For several statements pg returns several results, which its types do not declare.
  const answered: unknown = await client.query(setSession + setAll(limits) + isStandby);
  const last: unknown = Array.isArray(answered) ? answered.at(-1) : answered;
  const { rows } = last as pg.QueryResult<{ readonly standby: boolean }>;
  if (rows[0]?.standby !== false) throw new OnStandby();
}

const isStandby = "select pg_is_in_recovery() as standby";

/** The server is a standby. Has the code with which PostgreSQL refuses writes there. */
class OnStandby extends Error {
  readonly severity = "FATAL";
  readonly code = "25006";
  constructor() {
    super("the server is a standby, which is read-only");
  }
}

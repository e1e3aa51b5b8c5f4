import type { Readable, Writable } from "node:stream";
import pg from "pg";
import { connectionTo, withoutDoubtfulHost } from "./connection/address.js";
import { cutLongErrors } from "./connection/long-errors.js";
import { connectMs } from "./connection/options.js";
import { setSession } from "./connection/session-settings.js";
import { newWatchingPool } from "./pool/connections.js";
import { inTurn, newLockWatch } from "./pool/lock-watch.js";
import type { Queryable } from "./statement/database.js";
import { valueTypes } from "./statement/values.js";

/** A separate connection, outside the pool and without time limits, for work on very many rows. */
export interface Session extends Queryable {
  /**
   * Returns the rows of a select in the text format of `copy`. The session cannot be used until the stream has ended.
   */
  copyOut(select: string): Readable;
  /** Stores rows in the text form of `copy`; `target` is a table with its columns. */
  copyIn(target: string): CopyIn;
  /**
   * Returns the session's queries for a transaction that has begun. Calls `onWait` with the milliseconds that they wait
   * for locks.
   */
  watched(onWait: (ms: number) => void): Promise<Queryable>;
}

/** Takes rows in the text form of `copy`. */
export interface CopyIn extends Writable {
  /** The number of rows that PostgreSQL has stored; 0 until it has finished. */
  readonly rowCount: number;
}

/** Runs the work on a session, which is closed afterwards, even in the middle of a copy. */
export async function withSession<T>(
  { url }: { readonly url: string },
  work: (session: Session) => Promise<T>,
): Promise<T> {
  // Loaded here, as most programs with a database copy nothing.
  const { from: copyFrom, to: copyTo } = await import("pg-copy-streams");
  const client = await connect(url);
  const copies = new Set<Readable | Writable>();
  // Opens no connection before the first check.
  const watching = newWatchingPool({ url });
  const watch = newLockWatch((text, values) => watching.query(text, [...values]));
  const query = async <Row>(text: string, values?: readonly unknown[]) => {
    const { rows } = await client.query(text, values && [...values]);
    return rows as Row[];
  };
  const running = <Stream extends Readable | Writable>(stream: Stream): Stream => {
    copies.add(stream);
    for (const end of ["end", "finish"]) stream.once(end, () => copies.delete(stream));
    return stream;
  };
  try {
    return await work({
      query,
      copyOut: (select) => running(client.query(copyTo(`copy (${select}) to stdout`))),
      copyIn(target) {
        const copy = running(client.query(copyFrom(`copy ${target} from stdin`)));
        const stop = cutLongErrors(client.connection.stream);
        for (const end of ["finish", "error", "close"]) copy.once(end, stop);
        return copy;
      },
      async watched(onWait) {
        // Behind a pooler, the connection has another process id than PostgreSQL's session.
        const [{ pid } = { pid: 0 }] = await query<{ pid: number }>(
          "select pg_backend_pid() as pid",
        );
        return {
          query: inTurn(<Row>(text: string, values?: readonly unknown[]) =>
            watch.during(pid, onWait, () => query<Row>(text, values)),
          ),
        };
      },
    });
  } finally {
    await watching.end();
    // PostgreSQL would send the rest of a copy before it closed the connection.
    if (copies.size > 0) client.connection.stream.destroy();
    else await client.end();
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    ...connectionTo(url),
    connectionTimeoutMillis: connectMs,
    types: valueTypes,
  });
  // If the connection is lost between two statements, the second reports it.
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(setSession);
    return client;
  } catch (error) {
    throw withoutDoubtfulHost(error, url);
  }
}

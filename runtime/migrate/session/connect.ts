import pg from "pg";
import {
  connectingProblem,
  connectionTo,
  type Queryable,
  setSession,
  withoutDoubtfulHost,
} from "../../db/index.js";
import { oneLine } from "../../values/text.js";
import { MigrationError } from "../error.js";

export type OnWarning = (warning: string) => void;

/**
 * Runs the work on one connection; `onWarning` receives PostgreSQL's warnings during the work.
 *
 * @throws {MigrationError} if the database cannot be reached.
 */
export async function withConnection<T>(
  { url, onWarning }: { readonly url: string; readonly onWarning?: OnWarning | undefined },
  work: (db: Queryable) => Promise<T>,
): Promise<T> {
  const client = await connect(url);
  client.on("notice", ({ severity, message, hint }) => {
    if (severity === "WARNING") onWarning?.(oneLine([message, hint].filter(Boolean).join("; ")));
  });
  let done = 0;
  client.connection.on("commandComplete", () => {
    done += 1;
  });
  try {
    return await work({
      async query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]> {
        done = 0;
        try {
          return (await client.query(text, values && [...values])).rows;
        } catch (error) {
          if (error instanceof Error) failures.set(error, { text, done });
          throw error;
        }
      },
    });
  } finally {
    await client.end();
  }
}

/** The SQL text that failed, and the number of its statements that had completed. */
export interface FailedStatement {
  readonly text: string;
  readonly done: number;
}

/** Returns the SQL text that caused an error on a `withConnection` connection; null for other errors. */
export function failedStatement(error: unknown): FailedStatement | null {
  return error instanceof Error ? (failures.get(error) ?? null) : null;
}

const failures = new WeakMap<Error, FailedStatement>();

async function connect(url: string): Promise<pg.Client> {
  try {
    const client = new pg.Client({ ...connectionTo(url), connectionTimeoutMillis: 5_000 });
    // If the connection is lost between two statements, the second reports it.
    client.on("error", () => {});
    await client.connect();
    await client.query(setSession);
    return client;
  } catch (error) {
    const { message, hint } = connectingProblem(withoutDoubtfulHost(error, url));
    throw new MigrationError(message, hint, { cause: error });
  }
}

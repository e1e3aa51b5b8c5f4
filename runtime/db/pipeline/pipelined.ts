import pg from "pg";
import { connectionTo } from "../connection/address.js";
import { connectMs } from "../connection/options.js";
import { prepareConnection } from "../connection/prepare.js";
import type { StatementNames } from "../statement/names.js";
import { sendStatement } from "../statement/send.js";
import { valueTypes } from "../statement/values.js";

/** One connection with pipelined statements: each is sent without waiting for the previous response. */
export interface Pipelined {
  /** Returns the number of statements without a response. */
  waiting(): number;
  /**
   * Returns how long the first statement without a response has been first in the queue, in milliseconds; 0 if there is
   * none.
   */
  stalled(): number;
  read<Row>(text: string, values: readonly unknown[]): Promise<Answered<Row>>;
  /** Whether the connection has prepared statements whose names are no longer used. */
  isSpent(): boolean;
  /** Closes the connection immediately: unanswered statements fail. */
  destroy(): void;
  /** Ends the connection after all responses. */
  end(): Promise<void>;
}

export interface Answered<Row> {
  readonly rows: readonly Row[];
  /** Milliseconds for which this read was the first in the queue. */
  readonly took: number;
  /** The number of reads queued behind it. */
  readonly behind: number;
}

interface PipelinedOptions {
  readonly url: string;
  readonly names: StatementNames;
  /** Called when the connection is lost, before its unanswered statements fail. */
  readonly onLost: (lost: Pipelined, reason: string) => void;
}

/**
 * The first statement delays all others, so the limits are short: a read is fast, and finds a table locked only while
 * that table is changed or emptied. Writes are refused, because unanswered statements of a lost connection are
 * repeated.
 */
const limits = {
  default_transaction_read_only: "on",
  lock_timeout: 5,
  statement_timeout: 1_000,
};

/** Longer than a statement may take: it is reached only if the server no longer responds. */
const silenceMs = 1_500;

/**
 * Opens a pipelined connection. PostgreSQL responds in the order of the statements; each is a
 * separate transaction.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one machine, whose steps share the state of a connection
export async function openPipelined({ url, names, onLost }: PipelinedOptions): Promise<Pipelined> {
  const client = new pg.Client({
    ...connectionTo(url),
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    types: valueTypes,
    pipeline: true,
  });
  // While the connection is opening, the pending call reports its loss.
  client.on("error", () => {});
  await client.connect();

  let waiting = 0;
  let lastAnswer = 0;
  let lastHeard = 0;
  let isEnding = false;
  /** Whether the last check found pending statements and no response has arrived since. */
  let silent = false;
  const destroy = () => void client.connection.stream.destroy();
  const look = () => {
    if (silent) destroy();
    // The server may never confirm the end either.
    silent = waiting > 0 || isEnding;
  };
  // Responses that arrived while this process was busy are read before the check.
  const watch = setInterval(() => setImmediate(look), silenceMs).unref();
  client.once("end", () => clearInterval(watch));

  async function send<T>(
    work: () => Promise<T>,
  ): Promise<{ readonly result: T; readonly behind: number }> {
    if (waiting === 0) lastHeard = performance.now();
    waiting += 1;
    try {
      const result = await work();
      return { result, behind: waiting - 1 };
    } finally {
      waiting -= 1;
      silent = false;
      lastHeard = performance.now();
    }
  }

  async function read<Row>(text: string, values: readonly unknown[]): Promise<Answered<Row>> {
    const name = names.nameOf(text, client);
    const sent = performance.now();
    const { result: rows, behind } = await send(() =>
      sendStatement<Row & pg.QueryResultRow>(client, { text, values, name }),
    );
    const answered = performance.now();
    const took = answered - Math.max(sent, lastAnswer);
    lastAnswer = answered;
    if (name === undefined && rows.length > 0) names.add(text);
    return { rows, took, behind };
  }

  try {
    await send(() => prepareConnection(client, limits));
  } catch (error) {
    destroy();
    throw error;
  }
  const opened: Pipelined = {
    waiting: () => waiting,
    stalled: () => (waiting === 0 ? 0 : performance.now() - lastHeard),
    read,
    isSpent: () => names.isSpent(client),
    destroy,
    end: () => {
      isEnding = true;
      return client.end();
    },
  };
  client.once("error", ({ message }) => onLost(opened, message));
  return opened;
}

import pg from "pg";
import { connectMs, sessionSettings } from "./options.js";
import type { StatementNames } from "./statements.js";

/** One connection on which statements are sent as they come, none waiting for another's answer. */
export interface Pipelined {
  /** How many statements wait for their answer. */
  waiting(): number;
  read<Row>(text: string, values: readonly unknown[]): Promise<Answered<Row>>;
  /** True when it holds statements of names no longer given. */
  isSpent(): boolean;
  /** Ends it at once: whatever waits fails. */
  giveUp(): void;
  /** Ends it when everything is answered. */
  end(): Promise<void>;
}

export interface Answered<Row> {
  readonly rows: readonly Row[];
  /** Milliseconds that nothing but this read was waited for. */
  readonly took: number;
}

interface PipelinedOptions {
  readonly url: string;
  readonly names: StatementNames;
  /** Called when the connection is lost, before what waits on it fails. */
  readonly onLost: (reason: string) => void;
}

/**
 * What stands in front holds up everything behind it, so the limits are short: a read is quick in
 * itself, and finds a table locked only while somebody changes or empties it. A write is refused,
 * because what waits while a connection is lost is run again.
 */
const limits = `
  set default_transaction_read_only = on;
  set lock_timeout = 5;
  set statement_timeout = 1000`;

/** Longer than a statement may take: it strikes only when the server cannot be heard any more. */
const silenceMs = 1_500;

/** Opens one. PostgreSQL answers in the order of the questions; each is a transaction of its own. */
export async function openPipelined({ url, names, onLost }: PipelinedOptions): Promise<Pipelined> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    options: sessionSettings,
    pipeline: true,
  });
  // Before it is open, what was asked reports the loss.
  client.on("error", () => {});
  await client.connect();

  let waiting = 0;
  let lastAnswer = 0;
  /** Whether something waited at the last look, and nothing was answered since. */
  let silent = false;
  const giveUp = () => void client.connection.stream.destroy();
  const look = () => {
    if (silent) giveUp();
    silent = waiting > 0;
  };
  // Answers that came while our own process was busy are heard before the look.
  const watch = setInterval(() => setImmediate(look), silenceMs).unref();
  client.once("end", () => clearInterval(watch));

  async function send(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    waiting += 1;
    try {
      return await client.query(statement);
    } finally {
      waiting -= 1;
      silent = false;
    }
  }

  async function read<Row>(text: string, values: readonly unknown[]): Promise<Answered<Row>> {
    const name = names.nameOf(text, client);
    const sent = performance.now();
    const { rows } = await send({ text, values: [...values], ...(name && { name }) });
    const answered = performance.now();
    const took = answered - Math.max(sent, lastAnswer);
    lastAnswer = answered;
    if (name === undefined && rows.length > 0) names.learn(text);
    return { rows, took };
  }

  try {
    await send({ text: limits });
  } catch (error) {
    giveUp();
    throw error;
  }
  client.once("error", ({ message }) => onLost(message));
  return {
    waiting: () => waiting,
    read,
    isSpent: () => names.isSpent(client),
    giveUp,
    end: () => client.end(),
  };
}

import pg from "pg";
import { connectMs } from "./options.js";
import { setAll, setSession } from "./settings.js";
import type { StatementNames } from "./statements.js";

/** One connection on which statements are sent as they come, none waiting for another's answer. */
export interface Pipelined {
  /** How many statements wait for their answer. */
  waiting(): number;
  /** Milliseconds since something was answered while more waits; 0 when nothing does. */
  stalled(): number;
  read<Row>(text: string, values: readonly unknown[]): Promise<Answered<Row>>;
  /** True when it holds statements of names no longer given. */
  isSpent(): boolean;
  /** Ends it at once: whatever waits fails. */
  destroy(): void;
  /** Ends it when everything is answered. */
  end(): Promise<void>;
}

export interface Answered<Row> {
  readonly rows: readonly Row[];
  /** Milliseconds that nothing but this read was waited for. */
  readonly took: number;
  /** How many others waited for it. */
  readonly behind: number;
}

interface PipelinedOptions {
  readonly url: string;
  readonly names: StatementNames;
  /** Called when the connection is lost, before what waits on it fails. */
  readonly onLost: (lost: Pipelined, reason: string) => void;
}

/**
 * What stands in front holds up everything behind it, so the limits are short: a read is quick in
 * itself, and finds a table locked only while somebody changes or empties it. A write is refused,
 * because what waits while a connection is lost is run again.
 */
const limits = setAll({
  default_transaction_read_only: "on",
  lock_timeout: 5,
  statement_timeout: 1_000,
});

/** Longer than a statement may take: it strikes only when the server cannot be heard any more. */
const silenceMs = 1_500;

/** Opens one. PostgreSQL answers in the order of the questions; each is a transaction of its own. */
export async function openPipelined({ url, names, onLost }: PipelinedOptions): Promise<Pipelined> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    pipeline: true,
  });
  // Before it is open, what was asked reports the loss.
  client.on("error", () => {});
  await client.connect();

  let waiting = 0;
  let lastAnswer = 0;
  let lastHeard = 0;
  let isEnding = false;
  /** Whether something waited at the last look, and nothing was answered since. */
  let silent = false;
  const destroy = () => void client.connection.stream.destroy();
  const look = () => {
    if (silent) destroy();
    // The other side may never say goodbye either.
    silent = waiting > 0 || isEnding;
  };
  // Answers that came while our own process was busy are heard before the look.
  const watch = setInterval(() => setImmediate(look), silenceMs).unref();
  client.once("end", () => clearInterval(watch));

  async function send(statement: pg.QueryConfig) {
    if (waiting === 0) lastHeard = performance.now();
    waiting += 1;
    try {
      const { rows } = await client.query(statement);
      return { rows, behind: waiting - 1 };
    } finally {
      waiting -= 1;
      silent = false;
      lastHeard = performance.now();
    }
  }

  async function read<Row>(text: string, values: readonly unknown[]): Promise<Answered<Row>> {
    const name = names.nameOf(text, client);
    const sent = performance.now();
    const { rows, behind } = await send({ text, values: [...values], ...(name && { name }) });
    const answered = performance.now();
    const took = answered - Math.max(sent, lastAnswer);
    lastAnswer = answered;
    if (name === undefined && rows.length > 0) names.learn(text);
    return { rows, took, behind };
  }

  try {
    await send({ text: setSession + limits });
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

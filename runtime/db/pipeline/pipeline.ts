import type { RequestState } from "../../request/index.js";
import { type DatabaseOptions, usualLifetimeMs } from "../connection/options.js";
import { timeNote } from "../connection/slow.js";
import type { StatementNames } from "../statement/names.js";
import { isOutdated, isWriteRefused, timeLimit } from "../statement/sqlstate.js";
import { newCircuitBreakers } from "./circuit-breakers.js";
import { openPipelined, type Pipelined } from "./pipelined.js";

/** Fast reads on one connection, opened by the first read, and again after each loss. */
export interface Pipeline {
  /**
   * The rows; null if the pool must run the statement instead.
   *
   * @throws {Error} if it is a write.
   */
  read<Row>(
    text: string,
    values: readonly unknown[],
    request: RequestState | null,
  ): Promise<readonly Row[] | null>;
  close(): Promise<void>;
}

export interface PipelineOptions
  extends Pick<DatabaseOptions, "url" | "slowMs" | "log" | "onSlow" | "onLost" | "lifetimeMs"> {
  readonly names: StatementNames;
  /**
   * Maximum number of queued reads. It limits how many are repeated after a lost connection, and how long a locked
   * table delays others.
   */
  readonly maxWaiting: number;
}

/** Maximum duration of a fast read in milliseconds; statements that often take longer would delay others. */
const quickMs = 10;

/** If the first read takes longer than this number of milliseconds, new reads use the pool. */
const stalledMs = 250;

/** Milliseconds after a failed attempt to connect, in which the pool is used. */
const pauseMs = 1_000;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one machine, whose steps share the state of a connection
export function openPipeline(options: PipelineOptions): Pipeline {
  const { url, log, names, maxWaiting, lifetimeMs = usualLifetimeMs } = options;
  const noteTime = timeNote(options);
  const breakers = newCircuitBreakers();
  let current: Pipelined | null = null;
  let opening: Promise<void> | null = null;
  let nextTry = 0;
  let replacedAt = 0;
  let isClosed = false;

  return { read, close };

  async function read<Row>(text: string, values: readonly unknown[], request: RequestState | null) {
    const connection = current;
    if (connection === null) {
      if (!isClosed && performance.now() >= nextTry) opening ??= open();
      return null;
    }
    if (connection.waiting() >= maxWaiting || connection.stalled() > stalledMs) return null;
    if (breakers.isOpen(text)) return null;
    try {
      const { rows, took, behind } = await connection.read<Row>(text, values);
      // A failed read is run by the pool, which then records its time.
      noteTime(text, took, request);
      if (took > quickMs && behind > 0) breakers.countSlow(text);
      else breakers.close(text);
      if (connection.isSpent() || performance.now() >= replacedAt) retire(connection);
      return rows;
    } catch (error) {
      if (isWriteRefused(error))
        throw new Error("A read that shares a connection must not write", { cause: error });
      react(connection, text, error);
      return null;
    }
  }

  /** Handles any error: a read can always be repeated. */
  function react(connection: Pipelined, text: string, error: unknown): void {
    const limit = timeLimit(error);
    // If the first use of a text waited for a lock, nothing was prepared, and the reads queued behind it fail.
    const isStale = isOutdated(error) && !breakers.isOpen(text);
    if (limit !== null || isStale) breakers.open(text);
    // More reads of the text may be queued on the connection.
    if (limit === "statement" || isStale) connection.destroy();
  }

  /** Ends the connection; the next read opens another. */
  function retire(connection: Pipelined): void {
    if (current !== connection) return;
    current = null;
    void connection.end();
  }

  async function open(): Promise<void> {
    try {
      const opened = await openPipelined({ url, names, onLost });
      if (isClosed) await opened.end();
      else current = opened;
      replacedAt = performance.now() + lifetimeMs;
    } catch {
      // The pool will encounter the same problem and report it.
      nextTry = performance.now() + pauseMs;
    } finally {
      opening = null;
    }
  }

  function onLost(lost: Pipelined, reason: string): void {
    if (current === lost) current = null;
    options.onLost?.();
    log?.warn({ reason }, "A pipelined database connection was lost");
  }

  async function close(): Promise<void> {
    isClosed = true;
    await opening;
    await current?.end();
  }
}

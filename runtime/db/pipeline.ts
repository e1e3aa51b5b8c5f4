import { newCircuitBreakers } from "./circuit-breakers.js";
import type { DatabaseOptions } from "./options.js";
import { openPipelined, type Pipelined } from "./pipelined.js";
import { isOutdated, isWriteRefused, timeLimit } from "./sqlstate.js";
import type { StatementNames } from "./statements.js";

/** Quick reads over one connection, which is opened by the first and again after each loss. */
export interface Pipeline {
  /**
   * The rows; null when they could not be had here and the pool is to be asked.
   *
   * @throws {Error} when it is a write.
   */
  read<Row>(text: string, values: readonly unknown[]): Promise<readonly Row[] | null>;
  close(): Promise<void>;
}

export interface PipelineOptions extends Pick<DatabaseOptions, "url" | "log"> {
  readonly names: StatementNames;
  /** Bounds how many reads fail with a lost connection, and how long a locked table holds up others. */
  readonly maxWaiting: number;
}

/** Milliseconds; what often takes longer would hold up what is quick. */
const slowMs = 10;

/** Milliseconds for which the foremost read may hold up others before new ones go past it. */
const stalledMs = 250;

/** Milliseconds after a failed attempt to open the connection; the pool works meanwhile. */
const pauseMs = 1_000;

export function openPipeline({ url, log, names, maxWaiting }: PipelineOptions): Pipeline {
  const detours = newCircuitBreakers();
  let current: Pipelined | null = null;
  let opening: Promise<void> | null = null;
  let nextTry = 0;
  let isClosed = false;

  return { read, close };

  async function read<Row>(text: string, values: readonly unknown[]) {
    const connection = current;
    if (connection === null) {
      if (!isClosed && performance.now() >= nextTry) opening ??= open();
      return null;
    }
    if (connection.waiting() >= maxWaiting || connection.stalled() > stalledMs) return null;
    if (detours.isOpen(text)) return null;
    try {
      const { rows, took, behind } = await connection.read<Row>(text, values);
      if (took > slowMs && behind > 0) detours.countSlow(text);
      else detours.close(text);
      if (connection.isSpent()) retire(connection);
      return rows;
    } catch (error) {
      if (isWriteRefused(error))
        throw new Error("A read that shares a connection must not write", { cause: error });
      react(connection, text, error);
      return null;
    }
  }

  /** Whatever went wrong, a read can be asked again. */
  function react(connection: Pipelined, text: string, error: unknown): void {
    const limit = timeLimit(error);
    // Nothing was prepared when a text's first use met a lock, which those behind it then miss.
    const isStale = isOutdated(error) && !detours.isOpen(text);
    if (limit !== null || isStale) detours.open(text);
    // More of the same may wait there.
    if (limit === "statement" || isStale) connection.destroy();
  }

  /** Another is opened at the next read. */
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
    } catch {
      // The pool meets the same reason and reports it.
      nextTry = performance.now() + pauseMs;
    } finally {
      opening = null;
    }
  }

  function onLost(lost: Pipelined, reason: string): void {
    if (current === lost) current = null;
    log?.warn({ reason }, "A pipelined database connection was lost");
  }

  async function close(): Promise<void> {
    isClosed = true;
    await opening;
    await current?.end();
  }
}

import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** A write that one writer of a load repeats. */
export interface Write {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Writers that continue until they are stopped. */
export interface WriteLoad {
  /** Of each write so far, from its begin to its answer; milliseconds. */
  readonly times: readonly number[];
  /** Errors; empty if all went well. */
  readonly errors: readonly string[];
  stop(): Promise<void>;
}

export interface LoadOptions {
  readonly url: string;
  readonly writers: number;
  /** Between two writes of one writer, in milliseconds. */
  readonly pauseMs: number;
  /** The `round`-th write of a writer. */
  readonly next: (writer: number, round: number) => Write;
}

/** What these connections call themselves. */
export const writerName = "test writer";

/**
 * Writes over some connections, steadily. PostgreSQL itself refuses a write that has waited for a lock
 * for more than 250 ms, however busy the machine and this process are.
 */
export async function startWrites({
  url,
  writers,
  pauseMs,
  next,
}: LoadOptions): Promise<WriteLoad> {
  const times: number[] = [];
  const errors: string[] = [];
  let isOver = false;

  async function write(client: pg.Client, writer: number): Promise<void> {
    for (let round = 0; !isOver; round += 1) {
      const { text, values } = next(writer, round);
      const start = performance.now();
      try {
        await client.query({ name: nameOf(text), text, values: [...values] });
      } catch (error) {
        errors.push(`${String(error)}: ${text}`);
      }
      times.push(performance.now() - start);
      await sleep(pauseMs);
    }
    await client.end();
  }

  const clients = await Promise.all(
    Array.from({ length: writers }, async () => {
      const client = new pg.Client({
        connectionString: url,
        application_name: writerName,
        lock_timeout: maxWaitMs,
      });
      client.on("error", (error) => errors.push(String(error)));
      await client.connect();
      return client;
    }),
  );
  const all = Promise.all(clients.map(write));
  return {
    times,
    errors,
    async stop() {
      isOver = true;
      await all;
    },
  };
}

/** Statements are prepared once, as servers do, so their plans are of before the change. */
function nameOf(text: string): string {
  return createHash("md5").update(text).digest("hex");
}

/** Longest wait of a writer for one lock. */
export const maxWaitMs = 250;

import type { Queryable } from "../statement/database.js";

/**
 * Wraps a connection so that it is usable only until its transaction ends. App code may hold a reference for longer,
 * when the connection already belongs to others.
 */
export function untilEnd({ query }: Queryable): Queryable & { end(): void; isBusy(): boolean } {
  let isOver = false;
  let running = 0;
  return {
    async query<Row>(text: string, values?: readonly unknown[]) {
      if (isOver) throw new Error("The transaction has ended");
      running += 1;
      try {
        return await query<Row>(text, values);
      } finally {
        running -= 1;
      }
    },
    end: () => {
      isOver = true;
    },
    isBusy: () => running > 0,
  };
}

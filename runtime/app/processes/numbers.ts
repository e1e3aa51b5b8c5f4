import type { Worker } from "node:cluster";
import { z } from "zod";
import { messageReader } from "../../messages/index.js";
import type { Numbers } from "../../operation/index.js";

// The workers of a machine exchange their counts through their primary.

const question = z.object({ service: z.literal("numbers?") });
const own = z.object({ service: z.literal("numbers"), numbers: z.custom<Numbers>() });
const all = z.object({
  service: z.literal("all numbers"),
  numbers: z.array(z.custom<Numbers>()),
});
const readQuestion = messageReader(question);
const readOwn = messageReader(own);
const readAll = messageReader(all);

/** Milliseconds for workers to respond; slower ones are omitted. */
const patience = 500;

/** Responds, in the primary, to workers that request the counts of all workers. */
export interface NumbersExchange {
  add(worker: Worker): void;
}

export function newNumbersExchange(): NumbersExchange {
  const alive = new Set<Worker>();
  let gathering: Promise<readonly Numbers[]> | null = null;

  function add(worker: Worker): void {
    alive.add(worker);
    worker.once("exit", () => alive.delete(worker));
    worker.on("message", (message) => {
      if (readQuestion(message) === null) return;
      gathering ??= gather().finally(() => {
        gathering = null;
      });
      void gathering.then((numbers) => {
        const answer: z.input<typeof all> = { service: "all numbers", numbers: [...numbers] };
        // A worker that has exited in the meantime does not need it.
        worker.send(answer, () => {});
      });
    });
  }

  async function gather(): Promise<readonly Numbers[]> {
    const answers = await Promise.all([...alive].map(ask));
    return answers.filter((one) => one !== null);
  }

  return { add };
}

function ask(worker: Worker): Promise<Numbers | null> {
  return new Promise((resolve) => {
    const end = (numbers: Numbers | null) => {
      clearTimeout(late);
      worker.off("message", listener);
      resolve(numbers);
    };
    const listener = (message: unknown) => {
      const data = readOwn(message);
      if (data !== null) end(data.numbers);
    };
    const late = setTimeout(end, patience, null);
    worker.on("message", listener);
    worker.send({ service: "numbers?" } satisfies z.input<typeof question>, (error) => {
      if (error !== null) end(null);
    });
  });
}

/**
 * Returns a function that sends a worker's counts to the primary and requests those of all workers. It returns only the
 * worker's own counts if the primary does not respond.
 */
export function exchangeNumbers(ownNumbers: () => Numbers): () => Promise<readonly Numbers[]> {
  const tell = (message: unknown) => {
    if (readQuestion(message) === null) return;
    send({ service: "numbers", numbers: ownNumbers() } satisfies z.input<typeof own>);
  };
  process.on("message", tell);
  return () =>
    new Promise((resolve) => {
      const end = (numbers: readonly Numbers[]) => {
        clearTimeout(late);
        process.off("message", listener);
        resolve(numbers.length === 0 ? [ownNumbers()] : numbers);
      };
      const listener = (message: unknown) => {
        const data = readAll(message);
        if (data !== null) end(data.numbers);
      };
      const late = setTimeout(end, 2 * patience, []);
      process.on("message", listener);
      send({ service: "numbers?" } satisfies z.input<typeof question>);
    });
}

function send(message: object): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

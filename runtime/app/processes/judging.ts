import type { Worker } from "node:cluster";
import { z } from "zod";
import type { Judge, Verdict } from "../../http/index.js";

// The primary counts for the workers of a machine. What a worker has to ask in one round of its event loop goes in one
// message: one each would take longer than most requests.

type Question = Parameters<Judge>;

const questions = z.object({
  service: z.literal("judge"),
  id: z.number(),
  questions: z.array(z.custom<Question>()),
});
const verdicts = z.object({
  service: z.literal("judged"),
  id: z.number(),
  verdicts: z.array(z.custom<Verdict>()),
});

/** In the primary: judges for a worker. */
export function judgeFor(worker: Worker, judge: Judge): void {
  worker.on("message", (message) => {
    const { data } = questions.safeParse(message);
    if (data === undefined) return;
    const found = data.questions.map((question) => judge(...question)) as Verdict[];
    const answer: z.input<typeof verdicts> = { service: "judged", id: data.id, verdicts: found };
    // A worker that has ended in the meantime does not need it.
    worker.send(answer, () => {});
  });
}

/** In a worker: asks the primary. */
export function judgeOfPrimary(): Judge {
  const underWay = new Map<number, ((verdict: Verdict | null) => void)[]>();
  let asked: Question[] = [];
  let waiting: ((verdict: Verdict | null) => void)[] = [];
  let count = 0;

  process.on("message", (message) => {
    const { data } = verdicts.safeParse(message);
    if (data === undefined) return;
    const those = underWay.get(data.id) ?? [];
    underWay.delete(data.id);
    those.forEach((resolve, at) => void resolve(data.verdicts[at] ?? null));
  });
  process.once("disconnect", () => {
    for (const those of underWay.values()) for (const resolve of those) resolve(null);
    underWay.clear();
  });

  function send(): void {
    count += 1;
    const message: z.input<typeof questions> = { service: "judge", id: count, questions: asked };
    const those = waiting;
    asked = [];
    waiting = [];
    if (!process.connected) {
      for (const resolve of those) resolve(null);
      return;
    }
    underWay.set(count, those);
    process.send?.(message, undefined, undefined, () => {});
  }

  return (...question) =>
    new Promise((resolve) => {
      if (asked.length === 0) setImmediate(send);
      asked.push(question);
      waiting.push(resolve);
    });
}

import type { Worker } from "node:cluster";
import { z } from "zod";
import {
  type Ended,
  type Judge,
  type Judgement,
  type Lender,
  newBorrower,
  type Question,
} from "../../http/index.js";
import { messageReader } from "../../messages/index.js";

// The primary counts for the workers of a machine. What a worker has to ask in one round of its event loop goes in one
// message: one each would take longer than most requests.

/** A loan that has ended, and of which key it was. */
type Returned = readonly [key: string, loan: Ended];

const questions = z.object({
  service: z.literal("judge"),
  id: z.number(),
  questions: z.array(z.custom<Question>()),
  returned: z.array(z.custom<Returned>()),
});
const judgements = z.object({
  service: z.literal("judged"),
  id: z.number(),
  judgements: z.array(z.custom<Judgement>()),
});
const readQuestions = messageReader(questions);
const readJudgements = messageReader(judgements);

/** In the primary: judges for a worker. */
export function judgeFor(worker: Worker, lender: Lender): void {
  worker.on("message", (message) => {
    const data = readQuestions(message);
    if (data === null) return;
    for (const [key, loan] of data.returned) lender.takeBack(key, loan);
    if (data.questions.length === 0) return;
    const answer: z.input<typeof judgements> = {
      service: "judged",
      id: data.id,
      judgements: data.questions.map(lender.judge),
    };
    // A worker that has ended in the meantime does not need it.
    worker.send(answer, () => {});
  });
}

/** Milliseconds that what is given back waits for a question that takes it along. */
const patience = 20;

type Resolve = (judgement: Judgement | null) => void;

/** In a worker: asks the primary. */
export function judgeOfPrimary(): Judge {
  const underWay = new Map<number, readonly Resolve[]>();
  let asked: Question[] = [];
  let returned: Returned[] = [];
  let waiting: Resolve[] = [];
  let isDue = false;
  let count = 0;

  process.on("message", (message) => {
    const data = readJudgements(message);
    if (data === null) return;
    const those = underWay.get(data.id) ?? [];
    underWay.delete(data.id);
    those.forEach((resolve, at) => void resolve(data.judgements[at] ?? null));
  });
  process.once("disconnect", () => {
    for (const those of underWay.values()) for (const resolve of those) resolve(null);
    underWay.clear();
  });

  function send(): void {
    count += 1;
    const message: z.input<typeof questions> = {
      service: "judge",
      id: count,
      questions: asked,
      returned,
    };
    const those = waiting;
    asked = [];
    returned = [];
    waiting = [];
    isDue = false;
    if (!process.connected) {
      for (const resolve of those) resolve(null);
      return;
    }
    if (those.length > 0) underWay.set(count, those);
    process.send?.(message, undefined, undefined, () => {});
  }

  function sendSoon(): void {
    if (!isDue) setImmediate(send);
    isDue = true;
  }

  function sendReturned(): void {
    if (returned.length > 0) sendSoon();
  }

  return newBorrower({
    ask: (question) =>
      new Promise((resolve) => {
        asked.push(question);
        waiting.push(resolve);
        sendSoon();
      }),
    giveBack(key, loan) {
      returned.push([key, loan]);
      setTimeout(sendReturned, patience).unref();
    },
  });
}

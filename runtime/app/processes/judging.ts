import type { Worker } from "node:cluster";
import { z } from "zod";
import { type Judge, newWindows, type Verdict } from "../../http/index.js";
import { messageReader } from "../../messages/index.js";

// The primary counts requests for all workers of a machine. A worker batches its requests into one message and sends
// the next one after the response: a message per request would take longer than most requests. Both messages are flat
// lists, which are the fastest to send.

/** For each request: the key, and the count and the seconds of its rate limit. */
type Questions = readonly (string | number)[];
/** For each request, in the same order: the number of remaining requests, or -1 for a refusal; and the seconds. */
type Answers = readonly number[];

const questions = z.object({ service: z.literal("judge"), batch: z.custom<Questions>() });
const answers = z.object({ service: z.literal("judged"), verdicts: z.custom<Answers>() });
const readQuestions = messageReader(questions);
const readAnswers = messageReader(answers);

/** Returns, in the primary, the function that answers a worker's questions. */
export function newJudging(): (worker: Worker) => void {
  const windows = newWindows();

  function answer(batch: Questions): Answers {
    const verdicts: number[] = [];
    for (let at = 0; at < batch.length; at += 3) {
      const rate = { count: Number(batch[at + 1]), seconds: Number(batch[at + 2]) };
      const { isAllowed, left, seconds } = windows.judge(String(batch[at]), rate);
      verdicts.push(isAllowed ? left : -1, seconds);
    }
    return verdicts;
  }

  return (worker) => {
    worker.on("message", (message) => {
      const data = readQuestions(message);
      if (data === null) return;
      const verdicts = answer(data.batch);
      // A worker that has ended in the meantime does not need it.
      worker.send({ service: "judged", verdicts } satisfies z.input<typeof answers>, () => {});
    });
  };
}

type Resolve = (verdict: Verdict | null) => void;

/** Returns, in a worker, a function that asks the primary whether a request is within its rate limit. */
export function judgeOfPrimary(): Judge {
  let batch: (string | number)[] = [];
  let waiting: Resolve[] = [];
  /** The requests of the message awaiting a response; null if there is none. */
  let underWay: readonly Resolve[] | null = null;

  process.on("message", (message) => {
    const data = readAnswers(message);
    if (data === null) return;
    const { verdicts } = data;
    underWay?.forEach((resolve, at) => {
      const left = verdicts[2 * at] ?? -1;
      resolve({
        isAllowed: left >= 0,
        left: Math.max(0, left),
        seconds: verdicts[2 * at + 1] ?? 1,
      });
    });
    underWay = null;
    if (waiting.length > 0) setImmediate(send);
  });
  process.once("disconnect", () => {
    for (const resolve of [...(underWay ?? []), ...waiting]) resolve(null);
    underWay = null;
    waiting = [];
  });

  function send(): void {
    if (underWay !== null || waiting.length === 0) return;
    underWay = waiting;
    const message: z.input<typeof questions> = { service: "judge", batch };
    waiting = [];
    batch = [];
    process.send?.(message, undefined, undefined, () => {});
  }

  return (limit, name, { count, seconds }) => {
    // The primary has exited, and this process will exit too.
    if (!process.connected) return Promise.resolve(null);
    return new Promise((resolve) => {
      batch.push(`${limit} ${name}`, count, seconds);
      waiting.push(resolve);
      if (waiting.length === 1 && underWay === null) setImmediate(send);
    });
  };
}

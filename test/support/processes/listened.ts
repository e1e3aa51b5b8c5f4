import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

/** A process whose output is read. */
export interface Listened {
  /** Its complete output. */
  all(): string;
  /**
   * What it says next after what earlier calls have seen; fails when it ends before, or says nothing for that many
   * milliseconds.
   */
  sees(words: RegExp, silenceMs?: number): Promise<RegExpExecArray>;
  /** Ends it, unless it has already ended. */
  stop(): Promise<void>;
}

interface Process {
  /** Both outputs, or the one that matters. */
  readonly output: NodeJS.ReadableStream;
  readonly ended: PromiseLike<unknown>;
  end(): void;
}

/** Milliseconds for the next output. */
const usualSilenceMs = 100_000;
/** Last characters of the output that a failure shows. */
const lastWords = 4_000;

/** Waits for output of a process as long as it lives and prints, not for a number of seconds. */
export function listen({ output, ended, end }: Process): Listened {
  let said = "";
  let seen = 0;
  let hasEnded = false;
  output.on("data", (chunk) => {
    said += chunk;
  });
  const over = Promise.resolve(ended).then(() => {
    hasEnded = true;
  });
  return {
    all: () => said,
    async sees(words, silenceMs = usualSilenceMs) {
      const pattern = new RegExp(words.source, `g${words.flags}`);
      for (;;) {
        pattern.lastIndex = seen;
        const found = pattern.exec(said);
        if (found !== null) {
          seen = pattern.lastIndex;
          return found;
        }
        if (hasEnded) throw new Error(`never said ${words}, but:\n${said}`);
        const silence = sleep(silenceMs, "silence", { ref: false });
        if ((await Promise.race([once(output, "data"), over, silence])) === "silence") {
          throw new Error(`has not said ${words}, but:\n${said.slice(-lastWords)}`);
        }
      }
    },
    async stop() {
      if (!hasEnded) end();
      await over;
    },
  };
}

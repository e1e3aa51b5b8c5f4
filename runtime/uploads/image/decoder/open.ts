import pLimit from "p-limit";
import { refuse } from "../../../errors/index.js";
import type { Log } from "../../../own-code/index.js";
import type { Picture } from "../pixels/encode.js";
import type { Header } from "../pixels/header.js";
import { refuseDamaged, refusePicture } from "../rules/refuse.js";
import { type Child, ChildLost, type ChildTimes, createChild } from "./child.js";
import { type Decoder, drawingOf, type Job } from "./messages.js";

/** A decoder in a separate process: a file that crashes a library terminates that process instead of the server. */
export interface DecoderProcess extends Decoder {
  /** Starts the process for a picture that is being received. */
  prepare(): void;
  close(): void;
}

const defaultTimes: ChildTimes = {
  // The largest allowed pictures need up to half a minute on a slow machine.
  longest: 120_000,
  // After a burst of photographs the process holds 200 MB, which are freed when it exits. A start takes 0.2 s.
  idle: 60_000,
};

/** Milliseconds. A drawing of 5000 shapes on two megapixels takes 27 seconds on two busy processors. */
const longestDrawing = 60_000;

/** Signals of a crash in a library. Processes that end for other reasons, such as lack of memory, get SIGKILL. */
const crashes: readonly unknown[] = ["SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP"];

/**
 * Opens a decoder in a separate process. It refuses with `INVALID` a picture that crashes the library or exceeds the
 * timeout, and with `UNAVAILABLE` a job lost for another reason. Jobs that were running during a crash are retried one
 * at a time to find the picture that caused it.
 */
export function openDecoder(log: Log, times: ChildTimes = defaultTimes): DecoderProcess {
  const usual = createChild(times);
  const suspected = createChild(times);
  // The SVG library writes to stderr about elements that it does not know.
  const drawing = createChild(
    { ...times, longest: Math.min(times.longest, longestDrawing) },
    { stderr: "ignore" },
  );
  const alone = pLimit(1);

  async function run(job: Job): Promise<unknown> {
    // Drawings run one at a time in any case.
    const [first, second] = drawingOf(job) === null ? [usual, suspected] : [drawing, drawing];
    try {
      return await runIn(first, job);
    } catch (error) {
      if (!(error instanceof ChildLost)) throw error;
    }
    return alone(() => runAlone(second, job));
  }

  async function runAlone(child: Child, job: Job): Promise<unknown> {
    try {
      return await runIn(child, job);
    } catch (error) {
      if (!(error instanceof ChildLost)) throw error;
      if (crashes.includes(error.reason)) refuseDamaged();
      return refuse("UNAVAILABLE", { retryAfter: 1 });
    }
  }

  async function runIn(child: Child, job: Job): Promise<unknown> {
    try {
      return await child.run(job);
    } catch (error) {
      if (error instanceof ChildLost) {
        log.warn({ reason: error.reason }, error.message);
        if (error.reason === "timeout") refusePicture("The picture takes too long to decode");
      }
      throw error;
    }
  }

  return {
    readHeader: async (path, drawing = null) =>
      (await run({ kind: "header", path, drawing })) as Header,
    makePictures: async (header, outputs) =>
      (await run({ kind: "pictures", header, outputs })) as readonly Picture[],
    prepare: () => usual.prepare(),
    close() {
      usual.close();
      suspected.close();
      drawing.close();
    },
  };
}

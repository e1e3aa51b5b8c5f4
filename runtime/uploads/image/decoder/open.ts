import pLimit from "p-limit";
import { refuse } from "../../../errors/index.js";
import type { Log } from "../../../services/index.js";
import type { Picture } from "../pixels/encode.js";
import type { Header } from "../pixels/header.js";
import { refuseDamaged, refusePicture } from "../rules/refuse.js";
import { type Child, ChildLost, type ChildTimes, createChild } from "./child.js";
import type { Decoder, Job } from "./messages.js";

/** A decoder in a process of its own: what breaks a library ends that process, and not the server. */
export interface DecoderProcess extends Decoder {
  /** Lets it be ready for a picture that is on its way. */
  prepare(): void;
  close(): void;
}

const defaultTimes: ChildTimes = {
  // The largest pictures that are taken need up to half a minute on a slow machine.
  longest: 120_000,
  // A burst of photographs leaves it with 200 MB, which end with it. To start again takes 0.2 s.
  idle: 60_000,
};

/** What a process ends with that a library has broken. Others, such as the system for want of memory, use SIGKILL. */
const crashes: readonly unknown[] = ["SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP"];

/**
 * Refuses with `INVALID` a picture that breaks the library, or keeps it busy for too long, and with
 * `UNAVAILABLE` what was lost for another reason. What was worked on beside such a picture is done
 * once more, one at a time, so that it is known which of them it is.
 */
export function openDecoder(log: Log, times: ChildTimes = defaultTimes): DecoderProcess {
  const usual = createChild(times);
  const suspected = createChild(times);
  const alone = pLimit(1);

  async function run(job: Job): Promise<unknown> {
    try {
      return await runIn(usual, job);
    } catch (error) {
      if (!(error instanceof ChildLost)) throw error;
    }
    return alone(() => runAlone(job));
  }

  async function runAlone(job: Job): Promise<unknown> {
    try {
      return await runIn(suspected, job);
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
    readHeader: async (path) => (await run({ kind: "header", path })) as Header,
    makePictures: async (header, outputs) =>
      (await run({ kind: "pictures", header, outputs })) as readonly Picture[],
    prepare: () => usual.prepare(),
    close() {
      usual.close();
      suspected.close();
    },
  };
}

import { type ExitCode, exit } from "../../exit.js";
import { develop } from "./develop.js";

export interface DevOptions {
  readonly databaseUrlIsMine?: true;
}

/** Milliseconds for the last output to be written. */
const lastWordsMs = 1_000;

/** Runs the app and restarts it on every change, until a signal ends it. */
export async function dev(root: string, { databaseUrlIsMine }: DevOptions): Promise<ExitCode> {
  try {
    await develop(root, { mayBeElsewhere: databaseUrlIsMine ?? false });
    return exit.done;
  } finally {
    // A pending host lookup would keep the process alive for as long as the resolver tries.
    setTimeout(() => process.exit(), lastWordsMs).unref();
  }
}

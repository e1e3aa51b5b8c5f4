import { develop } from "../dev/develop.js";
import { type ExitCode, exit } from "../exit.js";

export interface DevOptions {
  readonly databaseUrlIsMine?: true;
}

/** Milliseconds for what was printed to be read. */
const lastWordsMs = 1_000;

/** Runs the app and follows its changes until a signal ends it. */
export async function dev(root: string, { databaseUrlIsMine }: DevOptions): Promise<ExitCode> {
  try {
    await develop(root, { mayBeElsewhere: databaseUrlIsMine ?? false });
    return exit.done;
  } finally {
    // A host that is still being looked up would hold the process for as long as the resolver tries.
    setTimeout(() => process.exit(), lastWordsMs).unref();
  }
}

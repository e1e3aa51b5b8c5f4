import { develop } from "../dev/develop.js";
import { type ExitCode, exit } from "../exit.js";

export interface DevOptions {
  readonly databaseUrlIsMine?: true;
}

/** Runs the app and follows its changes until a signal ends it. */
export async function dev(root: string, { databaseUrlIsMine }: DevOptions): Promise<ExitCode> {
  await develop(root, { mayBeElsewhere: databaseUrlIsMine ?? false });
  return exit.done;
}

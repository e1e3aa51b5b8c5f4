import { develop } from "../dev/develop.js";
import { type ExitCode, exit } from "../exit.js";

/** Runs the app and follows its changes until a signal ends it. */
export async function dev(root: string): Promise<ExitCode> {
  await develop(root);
  return exit.done;
}

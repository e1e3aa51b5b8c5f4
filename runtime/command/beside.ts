import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/**
 * The program of `service-cli` that is installed where this one was started; null without. Both are called `service`, and
 * npm links the one that it installed last.
 */
export function programOfCli(startedAs: string): string | null {
  try {
    const { resolve } = createRequire(startedAs);
    return pathToFileURL(resolve("service-cli/service")).href;
  } catch {
    return null;
  }
}

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/**
 * The program of `service-cli` installed next to the one that was started; null if there is none. Both are called
 * `service`, and npm links the one that was installed last.
 */
export function programOfCli(startedAs: string): string | null {
  try {
    const { resolve } = createRequire(startedAs);
    return pathToFileURL(resolve("service-cli/service")).href;
  } catch {
    return null;
  }
}

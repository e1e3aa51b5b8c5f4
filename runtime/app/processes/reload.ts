import { type Config, readConfig, readEnvironment } from "../../config/index.js";
import { reasonOf } from "../../errors/index.js";
import type { Services } from "../../own-code/index.js";
import type { Workers } from "./workers.js";

/**
 * On SIGHUP, replaces the workers one by one with the code and configuration now on disk. The address and the number of
 * workers do not change, as they belong to the primary. Returns a function that removes the listener.
 */
export function reloads(
  { config, log }: Pick<Services, "config" | "log">,
  { host, port, workers: count, metrics }: Config["server"],
  workers: Workers,
): () => void {
  let isUnderWay = false;
  /** Whether another signal arrived during a reload: the files may have changed since it began. */
  let isAskedAgain = false;

  async function reload(): Promise<void> {
    const found = readConfig({ root: config.root, environment: readEnvironment(config.root) });
    const server = { ...found.server, host, port, workers: count, metrics };
    await workers.renew({ ...found, server });
    log.info({ workers: count }, "The server processes were replaced");
  }

  async function reloadAll(): Promise<void> {
    isUnderWay = true;
    do {
      isAskedAgain = false;
      try {
        await reload();
      } catch (error) {
        log.error(
          { reason: reasonOf(error) },
          "The previous server processes keep running: the new ones did not start",
        );
      }
    } while (isAskedAgain);
    isUnderWay = false;
  }

  const listener = () => {
    if (isUnderWay) isAskedAgain = true;
    else void reloadAll();
  };
  process.on("SIGHUP", listener);
  return () => void process.off("SIGHUP", listener);
}

import type { Config } from "../../config/index.js";
import { type Log, newLog } from "../../own-code/index.js";
import type { Role } from "./process.js";

/** Opens the log of a process. A server's log also contains the warnings of Node and of libraries. */
export function openLog(config: Config, { kind }: Role): Log {
  const log = newLog(config);
  if (kind !== "test" && kind !== "task" && kind !== "routes") logWarnings(log);
  return log;
}

/**
 * Logs warnings of Node and of libraries (`process.emitWarning`), which Node writes to standard error as plain text. If
 * Node's warnings are disabled, they are not logged.
 */
function logWarnings(log: Log): void {
  const printing = process.listeners("warning").filter(({ name }) => name === "onWarning");
  if (printing.length === 0) return;
  for (const listener of printing) process.off("warning", listener);
  process.on("warning", (warning) => {
    const { name, message } = warning;
    const { code, detail } = warning as { readonly code?: unknown; readonly detail?: unknown };
    log.warn({ warning: name, code, detail }, message);
  });
}

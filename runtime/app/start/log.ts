import type { Config } from "../../config/index.js";
import { type Log, newLog } from "../../own-code/index.js";
import type { Role } from "./role.js";

/** The log of a process. That of a server has the warnings of Node and of libraries, too. */
export function openLog(config: Config, { kind }: Role): Log {
  const log = newLog(config);
  if (kind !== "test" && kind !== "task" && kind !== "routes") logWarnings(log);
  return log;
}

/**
 * Logs warnings of Node and of libraries (`process.emitWarning`) where Node would write them to standard error as plain
 * text. Where Node was told to print none, none is logged.
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

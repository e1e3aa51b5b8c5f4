import { channel } from "node:diagnostics_channel";
import { errorOf } from "../../../errors/index.js";
import { currentScope, type Services } from "../../../own-code/index.js";

/** The channel on which `service dev` receives the stack of an uncaught error, to report the file. */
const faultNews = channel("service.fault");

/**
 * Calls `end` at the first uncaught error, such as a promise without `await` or an error in a timer. Later errors are
 * not logged, as a timer may repeat them. Returns a function that removes the listener.
 */
export function onUncaught({ log }: Pick<Services, "log">, end: () => void): () => void {
  let isEnding = false;
  const listener = (thrown: unknown) => {
    if (isEnding) return;
    isEnding = true;
    const err = errorOf(thrown);
    const { hook, request } = currentScope();
    const route = request?.route ?? null;
    const origin = { ...(hook !== undefined && { hook }), ...(route !== null && { route }) };
    log.fatal(
      { ...request?.fields, err, ...origin },
      "Uncaught error: the process ends once running requests have finished",
    );
    faultNews.publish({ stack: stackOf(err) });
    end();
  };
  process.on("uncaughtException", listener);
  return () => void process.off("uncaughtException", listener);
}

function stackOf(error: Error): string {
  try {
    return String(error.stack);
  } catch {
    return "";
  }
}

import type { IncomingMessage } from "node:http";
import { Refusal } from "../../errors/index.js";
import type { Services } from "../../own-code/index.js";

/** In development, logs the rule or policy that refused a request (403). */
export function logForbidden(
  { config, log }: Pick<Services, "config" | "log">,
  request: Pick<IncomingMessage, "method" | "url">,
  error: unknown,
): void {
  if (config.environment !== "development") return;
  if (!(error instanceof Refusal) || error.status !== 403) return;
  const [path] = (request.url ?? "/").split("?");
  const reason = error.details.reason ?? error.message;
  log.info(`${request.method} ${path} is refused (403): ${reason}`);
}

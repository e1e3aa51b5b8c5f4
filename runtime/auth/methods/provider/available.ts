import type { ProviderSettings } from "../../../config/index.js";
import { refuse } from "../../../errors/index.js";
import type { Services } from "../../../own-code/index.js";
import { isUnavailable } from "./protocol/ask.js";

/** Seconds after which clients may retry. */
const retryAfter = 10;

/** Runs a request to a provider; if the provider is unavailable, logs the reason and refuses. */
export async function whileAvailable<T>(
  { log }: Pick<Services, "log">,
  provider: Pick<ProviderSettings, "name">,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    logUnavailable({ log }, provider, error);
    return refuse("PROVIDER_UNAVAILABLE", { retryAfter });
  }
}

export function logUnavailable(
  { log }: Pick<Services, "log">,
  { name }: Pick<ProviderSettings, "name">,
  error: Error,
): void {
  log.warn({ provider: name, reason: reasonOf(error) }, "a sign-in provider is unavailable");
}

/** The innermost message: the library's own is too general. */
function reasonOf(error: Error): string {
  return error.cause instanceof Error && error.name === "ClientError"
    ? error.cause.message
    : error.message;
}

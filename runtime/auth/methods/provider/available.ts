import type { ProviderSettings } from "../../../config/index.js";
import { refuse } from "../../../errors/index.js";
import type { Services } from "../../../own-code/index.js";
import { isUnavailable } from "./protocol/ask.js";

/** Seconds that clients wait before they try again. */
const retryAfter = 10;

/** Runs what asks a provider; refuses where it is unavailable, and logs why. */
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

/** The innermost message: the library's own says only that something went wrong. */
function reasonOf(error: Error): string {
  return error.cause instanceof Error && error.name === "ClientError"
    ? error.cause.message
    : error.message;
}

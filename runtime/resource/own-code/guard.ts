import { Refusal, refuse } from "../../errors/index.js";
import { addressOfClient, type Context } from "../../http/index.js";
import type { Table } from "../table/table.js";
import { withTimeLimit } from "./time-limit.js";

/** The maximum number of guards that run concurrently in a process: each may wait for another server. */
const maxAtOnce = 100;

/** Seconds for `Retry-After`. */
const retryAfter = 2;

let running = 0;

/** Whether the app has a guard for creates by callers without a token, and this caller is one. */
export function isGuarded(
  { caller, services }: Pick<Context, "caller" | "services">,
  table: Pick<Table<never>, "resource">,
): boolean {
  return (
    caller === null && services.isTrusted !== true && guardOf({ services }, table) !== undefined
  );
}

/** Refuses with 403 unless the guard returns true, and with 503 if it times out or too many guards are running. */
export async function checkGuard(
  { request, services }: Pick<Context, "request" | "services">,
  table: Pick<Table<never>, "resource">,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  const guard = guardOf({ services }, table);
  if (guard === undefined) return;
  if (running >= maxAtOnce) refuse("UNAVAILABLE", { retryAfter });
  const { resource } = table;
  const { hookTimeoutSeconds } = services.config.server;
  const cut = new AbortController();
  const { headers } = request;
  const address = addressOfClient(request, services.config);
  // A guard that timed out may continue, and counts as running until it ends.
  const ask = async () => {
    running += 1;
    try {
      return await guard({ values, address, headers, signal: cut.signal });
    } finally {
      running -= 1;
    }
  };
  const verdict: unknown = await withTimeLimit(hookTimeoutSeconds * 1_000, ask, () => {
    cut.abort();
    services.log.error({ resource }, `A guard took more than ${hookTimeoutSeconds} s`);
    return new Refusal("UNAVAILABLE", { retryAfter });
  });
  if (verdict === true) return;
  refuse("FORBIDDEN", { reason: `the guard of ${resource} did not return true` });
}

function guardOf(
  { services }: Pick<Context, "services">,
  { resource }: Pick<Table<never>, "resource">,
) {
  const { guards = {} } = services.appCode;
  return Object.hasOwn(guards, resource) ? guards[resource]?.create : undefined;
}

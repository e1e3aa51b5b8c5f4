import type { IncomingMessage } from "node:http";
import type { Config } from "../../config/index.js";
import type { Log } from "../../own-code/index.js";
import { isInside } from "../../values/addresses/ip-address.js";
import { knowsProxySecret } from "../request/client-address.js";

/** Milliseconds between log messages. */
const everyMs = 3_600_000;

/** When the next line may be written; all limits of a server share it. */
const nextAt = new WeakMap<Config, number>();

/**
 * Whether a request came through a proxy that is not configured: then all visitors share one address. Logs it once an
 * hour.
 */
export function unsetProxy(
  config: Config,
  log: Pick<Log, "error">,
): (request: IncomingMessage) => boolean {
  return (request) => {
    const { headers, socket } = request;
    const isForwarded = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
    if (!isForwarded || config.server.trustProxy > 0) return false;
    if (!isInside(socket.remoteAddress ?? "") || knowsProxySecret(request, config)) return false;
    const now = performance.now();
    if (now >= (nextAt.get(config) ?? 0)) {
      nextAt.set(config, now + everyMs);
      const hint = "set server.trust_proxy in service.yaml to the number of proxies in front";
      log.error({ hint }, "Clients behind a proxy are not limited, because trust_proxy is 0");
    }
    return true;
  };
}

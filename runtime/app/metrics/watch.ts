import type { Watcher } from "../../http/index.js";
import type { Meter } from "../status/meter.js";
import type { Metrics } from "./registry.js";

/** Notes each request for the status, and for the metrics; and that a proxy is not trusted, which `doctor` reports. */
export function watcherOf(
  meter: Meter,
  metrics: Metrics | null,
  onUntrustedProxy: () => void,
): Watcher {
  const { onBegin, onAnswered } = metrics?.watcher ?? {};
  return {
    ...(onBegin === undefined ? {} : { onBegin }),
    onUntrustedProxy,
    onAnswered: (answered) => {
      meter.note(answered.status, answered.milliseconds);
      onAnswered?.(answered);
    },
  };
}

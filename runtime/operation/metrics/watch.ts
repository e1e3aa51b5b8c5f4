import type { Watcher } from "../../http/index.js";
import type { Meter } from "../status/meter.js";
import type { Metrics } from "./registry.js";
import { streamsRoute } from "./streams-route.js";

const reading: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

interface WatchedEvents {
  readonly onUntrustedProxy: () => void;
  /** Called after each request that may have written. */
  readonly onWritten: () => void;
}

/**
 * Records each request for the status and the metrics. Also records whether it may have written, and whether it came
 * through an untrusted proxy, which `doctor` reports.
 */
export function watcherOf(
  meter: Meter,
  metrics: Metrics | null,
  { onUntrustedProxy, onWritten }: WatchedEvents,
): Watcher {
  const { onBegin, onAnswered } = metrics?.watcher ?? {};
  return {
    ...(onBegin === undefined ? {} : { onBegin }),
    onUntrustedProxy,
    onAnswered: (answered) => {
      const { method, route, status, milliseconds } = answered;
      if (route !== streamsRoute) meter.note(status, milliseconds);
      if (!reading.has(method)) onWritten();
      onAnswered?.(answered);
    },
  };
}

import type { Watcher } from "../../http/index.js";
import type { Meter } from "../status/meter.js";
import type { Metrics } from "./registry.js";

/** Notes each request for the status, and for the metrics. */
export function watcherOf(meter: Meter, metrics: Metrics | null): Watcher {
  const { onBegin, onAnswered } = metrics?.watcher ?? {};
  return {
    ...(onBegin === undefined ? {} : { onBegin }),
    onAnswered: (answered) => {
      meter.note(answered.status, answered.milliseconds);
      onAnswered?.(answered);
    },
  };
}

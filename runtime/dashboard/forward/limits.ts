import { limitsBehind, type Pace } from "../../http/index.js";

/** The maximum number of forwarded requests, and the timeouts for the browser and the API. */
export interface ForwardLimits {
  /**
   * Maximum number of requests forwarded concurrently. Beyond it, requests of clients slower than `pace` are ended to
   * make room; if there are none, further requests get a 503.
   */
  readonly atOnce: number;
  /**
   * Maximum number of these requests that are streams of changes, which last for hours. Further streams get a 503,
   * which leaves room for other requests.
   */
  readonly streams: number;
  /** Milliseconds after which a client may count as slow when room is required. */
  readonly graceMs: number;
  /** The timeout of connecting to the API, in milliseconds. */
  readonly connectMs: number;
  /** Milliseconds that the API has to begin its response after receiving the entire request. */
  readonly answerMs: number;
  /** Milliseconds for which the API may accept no byte of a body, or send no byte of a response that it has begun. */
  readonly silentMs: number;
  /** The minimum speed at which a client sends its body and reads its response. */
  readonly pace: Pace;
  /** Milliseconds between two checks of all forwarded requests. */
  readonly checkMs: number;
}

export const forwardLimits: ForwardLimits = {
  // Together with the 64 idle connections to the API, less than the 1,000 that an API on another machine allows per
  // address. Each buffers up to 128 KiB of an unread response: 115 MB in total.
  atOnce: 900,
  streams: 450,
  // Longer than the time between the head of a request and its body from a nearby client.
  graceMs: 100,
  connectMs: 10_000,
  answerMs: 60_000,
  // A stream of changes sends a line every 15 s.
  silentMs: 60_000,
  // The pace required of every connection; an app's server that mounts the dashboard as a handler requires none.
  pace: limitsBehind(0).pace,
  checkMs: 250,
};

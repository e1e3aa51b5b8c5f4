import { limitsBehind, type Pace } from "../../http/index.js";

/** How many requests are forwarded at once, and the timeouts of browser and API. */
export interface ForwardLimits {
  /**
   * Requests forwarded at once. Beyond that, requests of clients slower than `pace` are ended to make room; if there
   * are no such clients, further requests get a 503.
   */
  readonly atOnce: number;
  /**
   * How many of these requests may be streams of changes, which last for hours: further streams get
   * a 503, which leaves room for requests.
   */
  readonly streams: number;
  /** Milliseconds after which a client may count as slow when room is needed. */
  readonly graceMs: number;
  /** The timeout of connecting to the API, in milliseconds. */
  readonly connectMs: number;
  /** Milliseconds within which the API must begin its response after it has the whole request. */
  readonly answerMs: number;
  /** Milliseconds for which the API may accept no byte of a body, or send none of a response it has begun. */
  readonly silentMs: number;
  /** The minimum speed at which a client sends its body and reads its response. */
  readonly pace: Pace;
  /** Milliseconds between two checks of all forwarded requests. */
  readonly checkMs: number;
}

export const forwardLimits: ForwardLimits = {
  // Together with the 64 idle connections to the API, fewer than the 1,000 that an API on another machine allows one
  // address. Each buffers up to 128 KiB of an unread response: 115 MB in all.
  atOnce: 900,
  streams: 450,
  // Longer than a nearby client takes from the head of its request to the body.
  graceMs: 100,
  connectMs: 10_000,
  answerMs: 60_000,
  // A stream of changes has a line every 15 s.
  silentMs: 60_000,
  // The pace of every connection; an app's server that mounts the dashboard as a handler has none.
  pace: limitsBehind(0).pace,
  checkMs: 250,
};

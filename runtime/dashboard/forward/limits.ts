import { limitsBehind, type Pace } from "../../http/index.js";

/** How much is forwarded at once, and how long the browser and the API may each take. */
export interface ForwardLimits {
  /**
   * Requests forwarded at once. Beyond that, those of clients that are slower than `pace` make room; where there are
   * none, further ones are 503.
   */
  readonly atOnce: number;
  /** Streams of changes among them, which last for hours: further ones are 503, and leave the other places to requests. */
  readonly streams: number;
  /** Milliseconds after which a client may count as slow when room is needed. */
  readonly graceMs: number;
  /** Milliseconds to connect to the API. */
  readonly connectMs: number;
  /** Milliseconds for the API to begin its answer after it has received the whole request. */
  readonly answerMs: number;
  /** Milliseconds for which the API may take no byte of a body, or send none of an answer that it has begun. */
  readonly silentMs: number;
  /** How fast a client has to send its body and to read its answer. */
  readonly pace: Pace;
  /** Milliseconds between two checks of all forwarded requests. */
  readonly checkMs: number;
}

export const forwardLimits: ForwardLimits = {
  // With the 64 idle connections to the API fewer than the 1,000 that an API on another machine allows one address.
  // Each keeps up to 128 KiB of an answer that is not read: 115 MB in all.
  atOnce: 900,
  streams: 450,
  // Longer than a client near by takes from the head of its request to the body.
  graceMs: 100,
  connectMs: 10_000,
  answerMs: 60_000,
  // A stream of changes has a line every 15 s.
  silentMs: 60_000,
  // The one of every connection; a server of the app's own, where the dashboard is a handler, has none.
  pace: limitsBehind(0).pace,
  checkMs: 250,
};

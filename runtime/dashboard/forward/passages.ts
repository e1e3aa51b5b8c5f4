import type { IncomingMessage, ServerResponse } from "node:http";
import { isBelow, keepPace, type Mark, type Pace } from "../../http/index.js";
import { routePath } from "../session/target.js";
import { type Awaited, awaitedOf, type Passage } from "./awaited.js";
import type { ForwardLimits } from "./limits.js";
import { type RefusalStatus, refuse, refuseAtOnce } from "./refuse.js";

/** All requests that are being forwarded. They are few, and each has a timeout in every state. */
export interface Passages {
  /**
   * Begins to forward a request; null if too many are being forwarded. `path` is the request's
   * path.
   */
  begin(request: IncomingMessage, response: ServerResponse, path: string): Passage | null;
  close(): void;
}

/** What a passage waited for at the last check, and the time since which its progress is measured. */
interface Seen extends Mark {
  readonly awaited: Awaited | null;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one machine, whose steps share all passages
export function newPassages(limits: ForwardLimits): Passages {
  const all = new Map<Passage, Seen>();
  const paces = pacesOf(limits);
  let streams = 0;
  let fullAt = Number.NEGATIVE_INFINITY;
  const checks = setInterval(checkAll, limits.checkMs).unref();

  function begin(request: IncomingMessage, response: ServerResponse, path: string): Passage | null {
    const isStream = routePath(path) === streamPath;
    const isFull = () => all.size >= limits.atOnce || (isStream && streams >= limits.streams);
    if (isFull()) makeRoom();
    if (isFull()) return null;
    const passage: Passage = { request, response, isStream, outgoing: null, isOver: false };
    if (isStream) streams += 1;
    all.set(passage, { awaited: null, at: performance.now(), bytes: 0 });
    response.once("close", () => end(passage));
    return passage;
  }

  function end(passage: Passage): void {
    if (all.delete(passage) && passage.isStream) streams -= 1;
    passage.isOver = true;
    // Has no effect if the API's response has been read completely.
    passage.outgoing?.destroy();
  }

  /** Returns what a passage waits for now, and the mark from which its progress counts. */
  function look(passage: Passage, seen: Seen, at: number) {
    const now = { ...awaitedOf(passage), at };
    if (seen.awaited === null) return { now, mark: { at: seen.at, bytes: now.bytes } };
    return { now, mark: seen.awaited === now.awaited ? seen : now };
  }

  function checkAll(): void {
    const at = performance.now();
    for (const [passage, seen] of all) {
      if (isGone(passage)) {
        end(passage);
        continue;
      }
      const { now, mark } = look(passage, seen, at);
      const kept = keepPace(mark, now, paces[now.awaited]);
      if (kept === null) giveUp(passage, now.awaited === "client sends" ? 408 : 504);
      else all.set(passage, { ...kept, awaited: now.awaited });
    }
  }

  /** Ends the oldest passages of clients that have been too slow for longer than a moment. */
  function makeRoom(): void {
    const at = performance.now();
    if (at - fullAt < fullMs) return;
    const before = all.size;
    const enough = before - Math.ceil(limits.atOnce * clearedShare);
    for (const [passage, seen] of all) {
      if (all.size <= enough) return;
      const { now, mark } = look(passage, seen, at);
      all.set(passage, { ...mark, awaited: now.awaited });
      const isSlow =
        (now.awaited === "client sends" || now.awaited === "client reads") &&
        at - mark.at >= limits.graceMs &&
        isBelow(mark, now, limits.pace);
      if (isSlow || isGone(passage)) giveUp(passage, 503);
    }
    if (all.size === before) fullAt = at;
  }

  function giveUp(passage: Passage, status: RefusalStatus): void {
    const { request, response } = passage;
    if (response.headersSent) request.socket.destroy();
    else if (request.complete) refuse(response, status);
    else refuseAtOnce(response, status);
    end(passage);
  }

  return { begin, close: () => clearInterval(checks) };
}

const streamPath = "/api/_service/changes";

/**
 * Minimum number of milliseconds between attempts to make room after one that failed, because an attempt checks all
 * passages.
 */
const fullMs = 20;

/** The fraction of passages that are ended together. */
const clearedShare = 1 / 16;

/** Whether the client has disconnected; a response queued behind another one gets no event. */
function isGone({ request }: Passage): boolean {
  return request.socket.destroyed;
}

function pacesOf({ connectMs, answerMs, silentMs, pace }: ForwardLimits): Record<Awaited, Pace> {
  return {
    "API connects": { ms: connectMs, bytes: 1 },
    "API takes the body": { ms: silentMs, bytes: 1 },
    "API begins its answer": { ms: answerMs, bytes: 1 },
    "API continues its answer": { ms: silentMs, bytes: 1 },
    "client sends": pace,
    "client reads": pace,
    // No limit for a response that is queued: the responses before it have their own.
    turn: { ms: Number.POSITIVE_INFINITY, bytes: 0 },
  };
}

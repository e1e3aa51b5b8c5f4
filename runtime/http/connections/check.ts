import { type Connection, incompleteRequest, isIdle, sentBytes } from "./connection.js";
import type { ConnectionLimits } from "./limits.js";
import { keepPace } from "./pace.js";

/** `late`: the client has not sent its request in time; `gone`: it does not read, or does not stop sending. */
export type Failure = "late" | "gone";

/** Checks a connection periodically; `now` is in milliseconds. Returns null if nothing is wrong. */
export function checkConnection(
  connection: Connection,
  now: number,
  limits: ConnectionLimits,
): Failure | null {
  markQuiet(connection, now);
  const { deadline } = connection.seen;
  if (deadline !== null) return now >= deadline ? "gone" : null;
  if (isUnread(connection, now, limits)) return "gone";
  if (isStillSending(connection, now, limits)) return "gone";
  const isLate = isIdle(connection)
    ? isHeadLate(connection, now, limits)
    : isBodyLate(connection, now, limits);
  return isLate ? "late" : null;
}

function markQuiet({ socket, seen }: Connection, now: number): void {
  const bytes = socket.bytesRead + sentBytes(socket);
  if (seen.quiet?.bytes !== bytes) seen.quiet = { at: now, bytes };
}

/**
 * A single write of megabytes shows no progress before its end, so it may take the time limit once per 256 KiB; our own
 * responses are written in smaller parts.
 */
const largePart = 256 * 1024;

function isUnread({ socket, seen }: Connection, now: number, limits: ConnectionLimits): boolean {
  const { writableLength } = socket;
  if (writableLength === 0) {
    seen.stalled = null;
    seen.unread = null;
    return false;
  }
  const seenNow = { at: now, bytes: sentBytes(socket) };
  if (seen.stalled?.bytes !== seenNow.bytes) seen.stalled = seenNow;
  const parts = Math.ceil(writableLength / largePart);
  const { ms, bytes } = limits.pace;
  seen.unread = keepPace(seen.unread ?? seenNow, seenNow, { ms: ms * parts, bytes });
  return seen.unread === null || now - seen.stalled.at >= limits.stalledMs * parts;
}

/** Whether a client exceeds the limits of time and size for the rest of a body after its response. */
function isStillSending(
  { socket, seen }: Connection,
  now: number,
  limits: ConnectionLimits,
): boolean {
  const { leftover } = seen;
  if (leftover === null) return false;
  if (leftover.request.complete) {
    seen.leftover = null;
    return false;
  }
  const bytes = socket.bytesRead - leftover.bytes;
  return bytes > limits.leftoverBytes || now - leftover.at >= limits.leftoverMs;
}

function isHeadLate({ socket, seen }: Connection, now: number, limits: ConnectionLimits): boolean {
  const { bytesRead } = socket;
  seen.body = null;
  seen.head ??= { at: now, bytes: bytesRead };
  // Between two requests, the client need not send anything.
  if (seen.head.bytes === bytesRead) seen.head = { at: now, bytes: bytesRead };
  return now - seen.head.at >= limits.headMs;
}

function isBodyLate(connection: Connection, now: number, limits: ConnectionLimits): boolean {
  const { socket, seen, waiting } = connection;
  seen.head = null;
  const request = incompleteRequest(connection)?.req;
  // A queued request is not read.
  if (request === undefined || waiting.length > 0) {
    seen.body = null;
    return false;
  }
  const { bytesRead } = socket;
  if (seen.body?.request !== request) {
    seen.body = { at: now, bytes: bytesRead, request };
    return false;
  }
  const seenNow = { at: now, bytes: bytesRead };
  const mark = keepPace(seen.body, seenNow, limits.pace);
  seen.body = { ...(mark ?? seenNow), request };
  // Received bytes wait for their handler, not for the client.
  return mark === null && request.readableLength === 0;
}

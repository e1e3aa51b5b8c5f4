import { Buffer } from "node:buffer";
import type { Readable } from "node:stream";
import pg from "pg";

/**
 * Maximum number of bytes of an error, which has a message, a detail and a context, and quotes values of any length.
 */
const maxBytes = 64 * 1024;

/** A code and four bytes of length: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const headBytes = 5;
const errorCode = "E".charCodeAt(0);

/**
 * Ends a connection on which PostgreSQL begins to send an error longer than 64 KiB, which pg would
 * collect completely; the connection fails with the beginning of the error. Must be called between
 * two messages; returns a function that stops watching.
 */
export function cutLongErrors(stream: Readable): () => void {
  let head = Buffer.alloc(0);
  /** The number of bytes missing from the current message. */
  let left = 0;
  const look = (chunk: Buffer) => {
    for (let at = 0; at < chunk.length; ) {
      if (left > 0) {
        const skipped = Math.min(left, chunk.length - at);
        left -= skipped;
        at += skipped;
        continue;
      }
      const rest = chunk.subarray(at, at + headBytes - head.length);
      head = Buffer.concat([head, rest]);
      at += rest.length;
      if (head.length < headBytes) return;
      left = head.readUInt32BE(1) - 4;
      if (head[0] === errorCode && left > maxBytes) {
        stop();
        stream.destroy(beginningOf(chunk.subarray(at), left));
        return;
      }
      head = Buffer.alloc(0);
    }
  };
  const stop = () => void stream.off("data", look);
  // Runs before pg's own listener, which buffers what it receives.
  stream.prependListener("data", look);
  return stop;
}

/** The error from its first bytes: severity and code precede the message. */
function beginningOf(bytes: Buffer, length: number): pg.DatabaseError {
  const fields = new Map<string, string>();
  for (const field of bytes.toString("utf8").split("\0")) {
    if (!fields.has(field.charAt(0))) fields.set(field.charAt(0), field.slice(1));
  }
  const error = new pg.DatabaseError(
    fields.get("M") ?? "an error message that exceeds the maximum length",
    length,
    "error",
  );
  error.severity = fields.get("V") ?? "ERROR";
  error.code = fields.get("C") ?? "XX000";
  return error;
}

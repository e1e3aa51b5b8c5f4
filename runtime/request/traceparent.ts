/** The part of a distributed trace that a request belongs to (W3C Trace Context). */
export interface TraceContext {
  /** The header as sent. */
  readonly traceparent: string;
  readonly traceId: string;
  /** The id of the caller's span. */
  readonly spanId: string;
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;
const zeros = /^0+$/;

/** Reads the header; null if it is missing or malformed. */
export function readTraceparent(header: unknown): TraceContext | null {
  if (typeof header !== "string") return null;
  const [, version = "ff", traceId = "", spanId = "", more] = form.exec(header) ?? [];
  // A later version may have more fields; version 00 does not (§4.2).
  if (version === "ff" || (version === "00" && more !== undefined)) return null;
  if (zeros.test(traceId) || zeros.test(spanId)) return null;
  return { traceparent: header, traceId, spanId };
}

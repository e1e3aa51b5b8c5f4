import { readDocument } from "../file/document.js";
import { settingsShape } from "../shape/shape.js";

/** Limits of an app that a proxy and a process manager must allow. */
export interface Allowances {
  /** Maximum size of an upload in bytes. */
  readonly maxBytes: number;
  /** Maximum size of a resumable upload in bytes; null if uploads are not resumable. */
  readonly resumableBytes: number | null;
  readonly drainSeconds: number;
  readonly drainDelaySeconds: number;
}

/**
 * Reads the limits of an app without environment variables; returns the defaults if its settings are missing or
 * invalid.
 */
export function readAllowances(root: string): Allowances {
  const { value } = readDocument(root, {});
  const { data } = settingsShape.safeParse(value ?? {});
  const { uploads, server } = data ?? settingsShape.parse({});
  return {
    maxBytes: uploads.max_bytes,
    resumableBytes: uploads.resumable?.max_bytes ?? null,
    drainSeconds: server.drain_seconds,
    drainDelaySeconds: server.drain_delay_seconds,
  };
}

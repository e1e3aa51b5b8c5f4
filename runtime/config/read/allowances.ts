import { readDocument } from "../file/document.js";
import { settingsShape } from "../shape/shape.js";

/** Limits of an app that a proxy and a process manager must allow. */
export interface Allowances {
  /** The limit of an upload. */
  readonly maxBytes: number;
  /** The limit of a resumable upload; null if there are none. */
  readonly resumableBytes: number | null;
  readonly drainSeconds: number;
  readonly drainDelaySeconds: number;
}

/** The limits of an app, read without environment variables; the defaults if its settings are missing or invalid. */
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

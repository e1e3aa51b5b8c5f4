import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { z } from "zod";
import { readDocument } from "../file/document.js";
import { readText } from "../file/text.js";
import { settingsShape } from "../shape/shape.js";

// Individual settings, read regardless of the others, which may be unknown, invalid or lack variables.

/**
 * The names below `uploads.profiles` in an app's `service.yaml`. Empty without the file; null if it is not valid YAML.
 */
export function readProfileNames(root: string): readonly string[] | null {
  if (!existsSync(join(root, "service.yaml"))) return [];
  const { value } = readDocument(root, {});
  const read = profilesOnly.safeParse(value);
  return read.success ? Object.keys(read.data.uploads?.profiles ?? {}) : null;
}

const profilesOnly = z.object({
  uploads: z.object({ profiles: z.record(z.string(), z.unknown()).nullish() }).nullish(),
});

/**
 * The absolute path of a front end's folder that also gets the client: `client` in `service.yaml`; null without one.
 */
export function readClientFolder(root: string): string | null {
  if (!existsSync(join(root, "service.yaml"))) return null;
  const { value } = readDocument(root, {});
  const { data } = clientOnly.safeParse(value);
  return data?.client ? resolve(root, data.client) : null;
}

const clientOnly = z.object({ client: z.string().nullish() });

/** An app's name: its `app.name`, or its folder's name if that is missing or unreadable. */
export function readAppName(root: string): string {
  const { value } = readDocument(root, {});
  const { data } = nameOnly.safeParse(value);
  return data?.app?.name || basename(resolve(root)) || "app";
}

const nameOnly = z.object({ app: z.object({ name: z.string().nullish() }).nullish() });

/** Limits of an app that a proxy and a process manager must allow. */
export interface Allowances {
  /** The limit of an upload. */
  readonly maxBytes: number;
  /** The limit of a resumable upload; null if there are none. */
  readonly resumableBytes: number | null;
  readonly drainSeconds: number;
  readonly drainDelaySeconds: number;
}

/** The limits of an app without any variables; the defaults if its settings are missing or invalid. */
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

/** The variables that an app's `service.yaml` refers to. */
export function readVariableNames(root: string): ReadonlySet<string> {
  const { text } = readText(root);
  return new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name));
}

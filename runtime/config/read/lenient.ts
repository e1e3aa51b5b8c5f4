import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { z } from "zod";
import { readDocument } from "../file/document.js";
import { readText } from "../file/text.js";

// Individual settings, read regardless of the other settings, which may be unknown or invalid, or refer to unset
// variables.

/**
 * Returns the names below `uploads.profiles` in an app's `service.yaml`. Empty without the file; null if it is not
 * valid YAML.
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
 * Returns the absolute path of a front end's folder into which the client is also written: `client` in `service.yaml`;
 * null if it is not set.
 */
export function readClientFolder(root: string): string | null {
  if (!existsSync(join(root, "service.yaml"))) return null;
  const { value } = readDocument(root, {});
  const { data } = clientOnly.safeParse(value);
  return data?.client ? resolve(root, data.client) : null;
}

const clientOnly = z.object({ client: z.string().nullish() });

/** Returns an app's name: its `app.name`, or its folder's name if that is missing or unreadable. */
export function readAppName(root: string): string {
  const { value } = readDocument(root, {});
  const { data } = nameOnly.safeParse(value);
  return data?.app?.name || basename(resolve(root)) || "app";
}

const nameOnly = z.object({ app: z.object({ name: z.string().nullish() }).nullish() });

export function readVariableNames(root: string): ReadonlySet<string> {
  const { text } = readText(root);
  return new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name));
}

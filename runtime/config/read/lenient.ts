import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { z } from "zod";
import { readDocument } from "../file/document.js";
import { readText } from "../file/text.js";

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

/** The variables that an app's `service.yaml` refers to. */
export function readVariableNames(root: string): ReadonlySet<string> {
  const { text } = readText(root);
  return new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name));
}

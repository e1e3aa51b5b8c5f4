import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { z } from "zod";
import { readDocument } from "../file/document.js";

// Single settings, read without the others: those may be unknown, wrong, or wait for variables.

/**
 * The names below `uploads.profiles` in an app's `service.yaml`. None without the file; null where it
 * cannot be read as YAML.
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

/** The folder of a front end that gets the client too, absolute: `client` in `service.yaml`; null without one. */
export function readClientFolder(root: string): string | null {
  if (!existsSync(join(root, "service.yaml"))) return null;
  const { value } = readDocument(root, {});
  const { data } = clientOnly.safeParse(value);
  return data?.client ? resolve(root, data.client) : null;
}

const clientOnly = z.object({ client: z.string().nullish() });

/** What an app is called: its `app.name`, or its folder's name where that is missing or unreadable. */
export function readAppName(root: string): string {
  const { value } = readDocument(root, {});
  const { data } = nameOnly.safeParse(value);
  return data?.app?.name || basename(resolve(root)) || "app";
}

const nameOnly = z.object({ app: z.object({ name: z.string().nullish() }).nullish() });

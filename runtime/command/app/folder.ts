import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { CommandRefused, exit } from "../exit.js";

/** Refuses a folder that does not exist, such as a typo in `-C`. */
function requireFolder(root: string): void {
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new CommandRefused(`There is no folder ${root}`, null, exit.wrongUsage);
}

/** Refuses a folder that is not an app, before anything is created in it. */
export function requireApp(root: string): void {
  requireFolder(root);
  if (!existsSync(join(root, "service.yaml"))) {
    throw new CommandRefused(`There is no service.yaml in ${root}`, wrongFolder);
  }
}

/**
 * Refuses a folder that contains no part of an app. Descriptors can be read without settings, and an app need not have
 * resources, so missing parts are only returned as remarks.
 */
export function requireSources(root: string): readonly string[] {
  requireFolder(root);
  const hasSettings = existsSync(join(root, "service.yaml"));
  const hasResources = existsSync(join(root, "resources"));
  if (!hasSettings && !hasResources) {
    throw new CommandRefused(`There are no resources/ and no service.yaml in ${root}`, wrongFolder);
  }
  if (!hasSettings) return ["There is no service.yaml here; the server needs one to start"];
  return hasResources ? [] : ["There is no resources/ folder here, so this app has no resources"];
}

const wrongFolder =
  "run the command in the app's folder, or name the folder with -C; npx service init <dir> creates a new app";

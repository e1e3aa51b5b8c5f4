import { places } from "../../../bin/commands/init/declare.js";
import { deployFiles } from "../../../bin/commands/init/deploy/files.js";
import type { Place } from "../../../bin/commands/init/deploy/places.js";

/** Files of `service init --deploy` for an app in this folder, by path. */
export function deployTexts(
  root: string,
  wanted: readonly Place[] = places,
): Readonly<Record<string, string>> {
  return Object.fromEntries(deployFiles(root, wanted).map(({ path, text }) => [path, text]));
}

/** One of the files for an app that is called My shop. */
export function deployText(path: string): string {
  const text = deployTexts("/nowhere/my-shop")[path];
  if (text === undefined) throw new Error(`there is no ${path}`);
  return text;
}

import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { z } from "zod";
import type { Problem } from "../../values/problem.js";
import type { SettingsDocument } from "../file/document.js";
import type { AppLook } from "../result/config.js";
import type { appShape } from "../shape/shape.js";

type AppSettings = z.output<typeof appShape>;

/** Maximum size in bytes; every page loads the logo. */
const maxLogoBytes = 1_048_576;

export function lookOf({ name, logo, colour }: AppSettings, root: string): AppLook {
  return {
    name: name ?? (basename(resolve(root)) || "app"),
    logo: logo ?? null,
    colour: colour ?? null,
  };
}

export function lookProblems(
  { logo }: AppSettings,
  document: SettingsDocument,
  root: string,
): readonly Problem[] {
  if (logo === undefined) return [];
  const found = statSync(resolve(root, logo), { throwIfNoEntry: false });
  const at = (message: string, hint: string) => document.problemAt(["app", "logo"], message, hint);
  if (found === undefined || !found.isFile()) {
    return [
      at(`app.logo names ${logo}, which is not a file`, "its path is relative to service.yaml"),
    ];
  }
  if (found.size <= maxLogoBytes) return [];
  return [at("app.logo is larger than 1 MB", "use a smaller picture; it is shown 40 pixels high")];
}

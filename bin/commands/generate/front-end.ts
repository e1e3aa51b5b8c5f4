import { existsSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

/**
 * Explains how to exclude a front end with separate compiler settings from the app's build; returns null if the client
 * is elsewhere or already excluded.
 */
export function frontEndRemark(root: string, client: string | null): string | null {
  const settings = join(root, "tsconfig.json");
  const folder = client === null ? null : packageAround(root, client);
  if (folder === null || !existsSync(settings)) return null;
  const [, excluded = ""] =
    /"exclude"\s*:\s*\[([^\]]*)\]/.exec(readFileSync(settings, "utf8")) ?? [];
  const isExcluded = excluded.includes(`"${folder}"`) || excluded.includes(`"${folder}/`);
  return isExcluded
    ? null
    : `tsconfig.json compiles ${folder}/ too, which is a separate package; add "${folder}" to its exclude`;
}

/** Returns the outermost folder below the app's folder that has a package.json and contains the path. */
function packageAround(root: string, path: string): string | null {
  const below = relative(root, path).split(sep);
  if (below[0] === "..") return null;
  const folders = below.map((_, at) => below.slice(0, at + 1).join("/"));
  return folders.find((folder) => existsSync(join(root, folder, "package.json"))) ?? null;
}

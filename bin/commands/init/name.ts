import { basename } from "node:path";

/**
 * Returns the app's name, derived from its folder: letters, digits and dashes, safe for npm, YAML and Markdown without
 * quoting.
 */
export function packageName(root: string): string {
  const name = basename(root)
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return ["", "service-cli", "service-runtime"].includes(name) ? "app" : name.slice(0, 100);
}

/** Converts `my-shop` to `My shop`. */
export function titleOf(name: string): string {
  const words = name.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Maximum length of an account name on Linux, which is lower than the limits of clusters, images and databases. */
const longest = 31;

/** The app's name for accounts, images, databases and cluster objects; never `root`. */
export function machineName(root: string): string {
  const name = packageName(root);
  const first = /^[a-z]/.test(name) && name !== "root" ? name : `app-${name}`;
  return first.slice(0, longest).replace(/-+$/, "");
}

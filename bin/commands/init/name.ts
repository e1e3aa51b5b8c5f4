import { basename } from "node:path";

/** The app's name, from its folder: letters, digits and dashes, safe for npm, YAML and Markdown without quoting. */
export function packageName(root: string): string {
  const name = basename(root)
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return ["", "service-cli", "service-runtime"].includes(name) ? "app" : name.slice(0, 100);
}

/** `my-shop` → `My shop` */
export function titleOf(name: string): string {
  const words = name.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The limit for account names on Linux is lower than for names in a cluster, an image or a database. */
const longest = 31;

/** The app's name for accounts, images, databases and cluster objects; never `root`. */
export function machineName(root: string): string {
  const name = packageName(root);
  const first = /^[a-z]/.test(name) && name !== "root" ? name : `app-${name}`;
  return first.slice(0, longest).replace(/-+$/, "");
}

import { basename } from "node:path";

/** The name of the app in that folder. Letters, digits and dashes: safe for npm, YAML and Markdown without any quoting. */
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

/** Characters of an account's name on Linux are fewer than those of names in a cluster, an image or a database. */
const longest = 31;

/** The app's name as accounts, images, databases and what a cluster holds may be called; nothing is called root. */
export function machineName(root: string): string {
  const name = packageName(root);
  const first = /^[a-z]/.test(name) && name !== "root" ? name : `app-${name}`;
  return first.slice(0, longest).replace(/-+$/, "");
}

import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Folders that the tool, the compiler or npm writes. */
const others = new Set(["node_modules", "dist", "generated"]);

/** The app's files that may name the package, relative to its folder, except folders with a leading dot. */
export function ownFiles(root: string, folder = ""): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        return others.has(entry.name) || entry.name.startsWith(".") ? [] : ownFiles(root, path);
      }
      return entry.isFile() && isOfInterest(path) ? [path] : [];
    });
}

function isOfInterest(path: string): boolean {
  return (
    path === "package.json" || /(?:\.[cm]?[jt]sx?|\.ya?ml|(?:^|\/)tsconfig[^/]*\.json)$/.test(path)
  );
}

import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Other folders that the tool, the compiler or npm writes. */
const others = new Set(["node_modules", "dist", "generated"]);

/** Returns the app's files that may mention the package, relative to its folder. Skips folders with a leading dot. */
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

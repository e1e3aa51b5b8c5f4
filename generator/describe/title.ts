import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the name in the app's `package.json`; `app` if it cannot be read. */
export function readTitle(root: string): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    if (typeof manifest !== "object" || manifest === null || !("name" in manifest)) return unnamed;
    return typeof manifest.name === "string" && manifest.name !== "" ? manifest.name : unnamed;
  } catch {
    return unnamed;
  }
}

const unnamed = "app";

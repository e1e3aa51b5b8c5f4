import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Described {
  readonly name: string;
  readonly changes?: boolean | { readonly history?: number };
}

/** The resources of the app in this folder whose records have a history, by its descriptors as `generate` has read them. */
export function historiesOf(root: string): readonly string[] {
  const path = join(root, "generated/descriptors.json");
  if (!existsSync(path)) return [];
  const described: readonly Described[] = JSON.parse(readFileSync(path, "utf8"));
  return described
    .filter(({ changes }) => typeof changes === "object" && changes.history !== undefined)
    .map(({ name }) => name);
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ConfigError, type ConfigSource, readConfig } from "../../../runtime/config/index.js";
import type { Problem } from "../../../runtime/values/problem.js";

const folders: string[] = [];

/** An app's folder named `shop` with these files; removed by `removeFolders`. */
export function appFolder(files: Readonly<Record<string, string>>): string {
  const parent = mkdtempSync(join(tmpdir(), "config-"));
  folders.push(parent);
  const root = join(parent, "shop");
  mkdirSync(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
}

/** The problems that a reading stops with. */
export function problemsOf(source: ConfigSource): readonly Problem[] {
  try {
    readConfig(source);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

export const databaseUrl = "postgres://localhost/shop";

import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Generated } from "../../../generator/generate.js";
import { count, fail, say, sayAside, sayDone, warn } from "../../../runtime/command/report.js";

/** A file that `generate` writes or removes, compared with the one on disk. */
export interface FileChange {
  /** Relative to the app's folder, with forward slashes. */
  readonly path: string;
  readonly change: "missing" | "outdated" | "stale";
  /** Whether the file was edited manually after it was generated. */
  readonly edited: boolean;
}

/** Returns the plan's effect on each file. Must be called before the plan is written. */
export function fileChanges(root: string, { writes, removals, edited }: Generated["plan"]) {
  const isEdited = new Set(edited);
  return [
    ...writes.map(({ path }): FileChange => {
      const change = existsSync(join(root, path)) ? "outdated" : "missing";
      return { path, change, edited: isEdited.has(path) };
    }),
    ...removals.map((path): FileChange => ({ path, change: "stale", edited: isEdited.has(path) })),
  ];
}

/** Reports the files written and removed, one line per folder, and manual edits that were overwritten. */
export function sayWritten(changes: readonly FileChange[], migration: string | null): void {
  const written = changes.filter(({ change }) => change !== "stale");
  const removed = changes.filter(({ change }) => change === "stale");
  for (const line of byFolder(written)) say(`wrote    ${line}`);
  for (const line of byFolder(removed)) say(`removed  ${line}`);
  for (const { path, change, edited } of changes) {
    const fate = change === "stale" ? "removed" : "overwritten";
    if (edited) warn(`${path} had been edited manually and was ${fate}`);
  }
  if (migration !== null) sayDone(`New migration: migrations/${migration}.sql`);
  if (changes.length === 0) sayAside("generated/ and migrations/ are up to date");
}

/** Reports the operations and fields that are newly accessible without a token. */
export function sayPublished(lines: readonly string[]): void {
  for (const line of lines) say(`public: ${line}`);
}

/** Reports each file that does not match the descriptors, for `--check`. */
export function reportCheck(changes: readonly FileChange[]): void {
  if (changes.length === 0) {
    sayDone("generated/ and migrations/ are up to date");
    return;
  }
  for (const { path, change, edited } of changes) {
    fail(`${path}: ${edited ? "edited manually" : differences[change]}`);
  }
  const differ = changes.length === 1 ? "differs" : "differ";
  fail(
    `${count(changes.length, "file")} ${differ} from the descriptors`,
    "run: npx service generate",
  );
}

const differences: Readonly<Record<FileChange["change"], string>> = {
  missing: "missing",
  outdated: "out of date",
  stale: "no longer generated from any descriptor",
};

/** Returns the paths grouped by folder, such as `generated/products/{queries.ts,types.ts}`. */
function byFolder(changes: readonly FileChange[]): string[] {
  const folders = new Map<string, string[]>();
  for (const { path } of changes) {
    const folder = dirname(path);
    folders.set(folder, [...(folders.get(folder) ?? []), basename(path)]);
  }
  return [...folders].map(([folder, names]) =>
    names.length === 1 ? `${folder}/${names[0]}` : `${folder}/{${names.join(",")}}`,
  );
}

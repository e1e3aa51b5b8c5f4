import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Rule } from "../../values/access-rule.js";
import { CommandRefused } from "../exit.js";

/** The parts of a resource in `generated/descriptors.json` that commands need. */
export interface DescribedResource {
  readonly name: string;
  readonly singular: string;
  readonly fields: readonly DescribedField[];
  readonly access: Readonly<Record<string, Rule>>;
  readonly changes?: boolean | { readonly history?: number };
}

export interface DescribedField {
  readonly name: string;
  readonly type: string;
  readonly profile?: string;
  readonly accept?: "any" | readonly string[];
  readonly private?: true;
}

/** Returns the resources as of the app's last generation; empty if it was never generated. */
export function describedResources(root: string): readonly DescribedResource[] {
  return readGenerated<readonly DescribedResource[]>(root, "descriptors.json") ?? [];
}

/**
 * Reads a JSON file that `generate` wrote; null if there is none.
 *
 * @throws {CommandRefused} if the file is not JSON, as after a merge conflict.
 */
export function readGenerated<Content>(root: string, name: string): Content | null {
  const path = join(root, "generated", name);
  if (!existsSync(path)) return null;
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CommandRefused(`generated/${name} is not JSON`, "run: npx service generate");
  }
}

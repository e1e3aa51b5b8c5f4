import { type Dirent, readdirSync } from "node:fs";
import { z } from "zod";
import type { Environment } from "../../config/index.js";
import type { Problem } from "../../values/problem.js";

/** Set by `service seed`: what the built app is to store instead of serving. */
const variable = "SERVICE_SEED";

const requestShape = z.object({
  /** Absolute; the files lie in it. */
  folder: z.string(),
  /** Empty: every file. */
  resources: z.array(z.string()),
  /** Whether nothing is stored where a resource has a record. */
  onlyEmpty: z.boolean(),
  /** The file descriptor to which the result is written. */
  events: z.number(),
  /** The file descriptor of a pipe that ends when the command does, even if killed; null: no command waits. */
  command: z.number().nullable(),
});

/** What `service seed` asks of the app. */
export type SeedRequest = z.infer<typeof requestShape>;

/** What is to be seeded; null for a process that is to do something else. */
export function seedWanted(environment: Environment): SeedRequest | null {
  const written = environment[variable];
  return written === undefined ? null : requestShape.parse(JSON.parse(written));
}

/** The result for the records of one file. */
export interface SeedCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
}

/** The result for the records of all files. */
export interface SeedResult {
  readonly resources: Readonly<Record<string, SeedCounts>>;
  /** Files that were stored. */
  readonly files: number;
}

/** How it ended, as a line of JSON. */
export type SeedEvent =
  | { readonly kind: "done"; readonly result: SeedResult }
  /** There are records already. */
  | { readonly kind: "filled" }
  /** What is wrong in the files; nothing was stored. */
  | { readonly kind: "problems"; readonly problems: readonly Problem[] }
  | { readonly kind: "refused"; readonly message: string; readonly hint: string | null };

/** How the names of seed files end. */
export const extension = /\.(?:ya?ml|json)$/;

/** The files of a seed folder, by name; none where there is no folder. */
export function seedFiles(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && /^[^.]/.test(entry.name))
      .filter(({ name }) => extension.test(name))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw error;
  }
}

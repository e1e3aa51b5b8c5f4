import { type Dirent, readdirSync } from "node:fs";
import { z } from "zod";
import type { Environment } from "../../config/index.js";
import type { Problem } from "../../values/problem.js";

/** Set by `service seed`: the seeding that the built app performs instead of serving. */
const variable = "SERVICE_SEED";

const requestShape = z.object({
  /** The absolute path of the folder with the files. */
  folder: z.string(),
  /** Empty for all files. */
  resources: z.array(z.string()),
  /** Whether to store nothing if a resource has a record. */
  onlyEmpty: z.boolean(),
  /** The file descriptor to which the result is written. */
  events: z.number(),
  /**
   * The file descriptor of a pipe that closes when the command ends, even if killed; null without a
   * waiting command.
   */
  command: z.number().nullable(),
});

/** The request of `service seed` to the app. */
export type SeedRequest = z.infer<typeof requestShape>;

/** Returns the requested seeding; null if the process has another purpose. */
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
  readonly files: number;
}

/** The outcome, as a line of JSON. */
export type SeedEvent =
  | { readonly kind: "done"; readonly result: SeedResult }
  /** A resource already has records, so nothing was stored. */
  | { readonly kind: "filled" }
  /** Mistakes in the files; nothing was stored. */
  | { readonly kind: "problems"; readonly problems: readonly Problem[] }
  | { readonly kind: "refused"; readonly message: string; readonly hint: string | null };

/** The extensions of seed files. */
export const extension = /\.(?:ya?ml|json)$/;

/** The files of a seed folder, by name; empty if there is no folder. */
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

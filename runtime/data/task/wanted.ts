import type { Environment } from "../../config/index.js";
import { type ImportRequest, importWanted } from "../import/request.js";
import { type SeedRequest, seedWanted } from "../seed/request.js";

/** A task that the built app runs instead of serving. */
export type Task =
  | { readonly kind: "import"; readonly request: ImportRequest }
  | { readonly kind: "seed"; readonly request: SeedRequest };

/** Returns the task of this process; null if the process has another purpose. */
export function taskWanted(environment: Environment): Task | null {
  const importing = importWanted(environment);
  if (importing !== null) return { kind: "import", request: importing };
  const seeding = seedWanted(environment);
  return seeding === null ? null : { kind: "seed", request: seeding };
}

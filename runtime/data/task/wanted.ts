import type { Environment } from "../../config/index.js";
import { type ImportRequest, importWanted } from "../import/request.js";
import { type SeedRequest, seedWanted } from "../seed/request.js";

/** What the built app is to do instead of serving. */
export type Task =
  | { readonly kind: "import"; readonly request: ImportRequest }
  | { readonly kind: "seed"; readonly request: SeedRequest };

/** The task of this process; null for one that is to do something else. */
export function taskWanted(environment: Environment): Task | null {
  const importing = importWanted(environment);
  if (importing !== null) return { kind: "import", request: importing };
  const seeding = seedWanted(environment);
  return seeding === null ? null : { kind: "seed", request: seeding };
}

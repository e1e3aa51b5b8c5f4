import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Returns the possible files of a client folder, relative to it: `client.ts`, `live.ts` and the files of `client/`. */
export function clientFilesIn(folder: string): readonly string[] {
  return [
    "client.ts",
    "live.ts",
    ...namesIn(join(folder, "client")).map((name) => `client/${name}`),
  ];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".ts"))
      .sort();
  } catch {
    return [];
  }
}

import { resolve } from "node:path";
import { execa } from "execa";
import type { MigrationTarget } from "../../../runtime/migrate/index.js";

export interface KilledRun {
  readonly way?: "migrate" | "undoMigrations";
  /** The step, counted from 1, before which the process kills itself; 0 for none. */
  readonly killBefore?: number;
  /** File of this step. */
  readonly path?: string;
}

/**
 * Migrates in a process of its own, with the built package, that may kill itself as `kill -9` does. It
 * prints the result as JSON.
 */
export function startMigrate(
  { url, directory }: MigrationTarget,
  { way = "migrate", killBefore = 0, path = "" }: KilledRun = {},
) {
  return execa(process.execPath, ["--input-type=module", "-e", program], {
    cwd: resolve(import.meta.dirname, "../../.."),
    env: { GIVEN: JSON.stringify({ url, directory, way, killBefore, path }) },
    reject: false,
  });
}

const program = `
  import * as runner from "./dist/runtime/migrate/index.js";
  const { url, directory, way, killBefore, path } = JSON.parse(process.env.GIVEN);
  const result = await runner[way]({
    url,
    directory,
    onProgress: (progress) => {
      if (progress.path === path && progress.step === killBefore) process.kill(process.pid, "SIGKILL");
    },
  });
  console.log(JSON.stringify(result));
`;

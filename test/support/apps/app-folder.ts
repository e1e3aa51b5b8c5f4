import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** An empty app folder that only its owner can enter. */
export function makeAppFolder(parent: string = tmpdir()): string {
  return realpathSync(mkdtempSync(join(parent, "service-test-")));
}

/** Removes the folder and the data of its embedded database, which may be elsewhere. */
export function removeAppFolder(root: string): void {
  const record = join(root, ".service", "database.json");
  if (existsSync(record)) {
    const { data } = JSON.parse(readFileSync(record, "utf8"));
    rmSync(resolve(root, data), { recursive: true, force: true });
  }
  rmSync(root, { recursive: true, force: true });
}

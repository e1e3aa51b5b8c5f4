import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Returns the paths below the folder that Git reports as changed or new; empty outside a repository. */
export async function uncommittedChanges(root: string): Promise<readonly string[]> {
  try {
    const { stdout } = await promisify(execFile)(
      "git",
      ["status", "--porcelain", "--no-renames", "-z", "--", "."],
      { cwd: root },
    );
    return stdout.split("\0").flatMap((line) => (line === "" ? [] : [line.slice(3)]));
  } catch {
    return [];
  }
}

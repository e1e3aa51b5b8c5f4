import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes a file that is the user's from now on; false, and nothing done, when there is one. */
export async function writeNew(path: string, text: string): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

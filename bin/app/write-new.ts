import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { CommandRefused } from "../../runtime/command/exit.js";

/** Writes a file that then belongs to the user. Returns false, and writes nothing, if the file exists. */
export async function writeNew(path: string, text: string): Promise<boolean> {
  await makeFolder(dirname(path));
  try {
    await writeFile(path, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Creates missing folders one by one: Node's recursive `mkdir` never returns for a path in /proc, where no folder can
 * be created.
 */
async function makeFolder(path: string): Promise<void> {
  if (await isThere(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  try {
    await mkdir(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "EEXIST" && (await isThere(path))) return;
    if (code !== "ENOENT") throw error;
    throw new CommandRefused(`Cannot create a folder in ${parent}`, "choose another folder");
  }
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

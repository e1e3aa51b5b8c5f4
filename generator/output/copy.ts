import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Problem } from "../../runtime/values/problem.js";
import type { EmittedFile } from "../emit/file.js";
import { clientHeader } from "./client.js";

/** A second copy of the client, for a front end: what is to be written, or why it cannot be. */
export interface ClientCopy {
  /** None where the folder has it already. */
  readonly writes: readonly EmittedFile[];
  readonly problems: readonly Problem[];
}

/** Plans the copy in a folder outside the app's; a file there that is not the tool's is never overwritten. */
export function copyClient(root: string, folder: string, text: string): ClientCopy {
  const target = join(folder, "client.ts");
  const path = relative(root, target).replaceAll("\\", "/");
  const refused = (message: string, hint: string): ClientCopy => ({
    writes: [],
    problems: [{ file: path, line: 1, column: 1, message, hint }],
  });
  const written = textOf(target);
  if (written === text) return { writes: [], problems: [] };
  if (written === null || (written !== "" && written.split(/\r?\n/)[0] !== clientHeader)) {
    return refused(
      "there is a file that this command did not write",
      "move it, or choose another folder for the client",
    );
  }
  if (!isWritable(existsSync(target) ? target : folder)) {
    return refused("it cannot be written", "choose a folder in which you may write");
  }
  return { writes: [{ path, text }], problems: [] };
}

/** Empty where there is nothing; null where it is no file that can be read. */
function textOf(path: string): string | null {
  if (!existsSync(path)) return "";
  try {
    return readFileSync(path, "utf8") || null;
  } catch {
    return null;
  }
}

/** Whether a file or folder may be written, or made in the first folder above it that is there. */
function isWritable(path: string): boolean {
  if (!existsSync(path)) {
    const above = dirname(path);
    return above !== path && isWritable(above);
  }
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

import { accessSync, constants, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Problem } from "../../runtime/values/problem.js";
import { clientHeader } from "../client/client.js";
import type { EmittedFile } from "../emit/file.js";
import { followed } from "./unusable.js";

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
  const obstacle = obstacleOf(folder);
  if (obstacle !== null) {
    return refused(`the folder of "client" cannot be used: ${obstacle}`, "choose another folder");
  }
  const written = textOf(target);
  if (written === text) return { writes: [], problems: [] };
  if (written === null || (written !== "" && written.split(/\r?\n/)[0] !== clientHeader)) {
    return refused(
      'in the folder of "client" there is a file that this command did not write',
      "move it, or choose another folder for the client",
    );
  }
  return { writes: [{ path, text }], problems: [] };
}

/** Empty where there is nothing; null where it is no file that can be read. */
function textOf(path: string): string | null {
  const found = followed(path);
  if (found === "nothing") return "";
  // Reading a pipe would never end.
  if (typeof found === "string" || !found.isFile()) return null;
  try {
    return readFileSync(path, "utf8") || null;
  } catch {
    return null;
  }
}

/** Why nothing can be written in a folder, or the folder not be made; null where that is possible. */
function obstacleOf(folder: string): string | null {
  const found = followed(folder);
  if (found === "nothing") {
    const above = dirname(folder);
    return above === folder ? `${folder} is not there` : obstacleOf(above);
  }
  if (found === "broken") return `${folder} is a link whose target is missing`;
  if (found === "circle") {
    const above = dirname(folder);
    return followed(above) === "circle" ? obstacleOf(above) : `${folder} is a circular link`;
  }
  if (!found.isDirectory()) return `${folder} is a file`;
  try {
    // It replaces the file as a whole, so the file's own permissions do not matter.
    accessSync(folder, constants.W_OK);
    return null;
  } catch {
    return `you may not write in ${folder}`;
  }
}

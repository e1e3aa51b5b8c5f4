import { accessSync, constants, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Problem } from "../../runtime/values/problem.js";
import { type EmittedFile, hasHeader } from "../emit/file.js";
import { clientFilesIn } from "./client-files.js";
import { followed } from "./unusable.js";

/** A second copy of the client, for a front end: what is to be written or removed, or why it cannot be. */
export interface ClientCopy {
  /** None where the folder has it already. */
  readonly writes: readonly EmittedFile[];
  readonly removals: readonly string[];
  readonly problems: readonly Problem[];
}

/**
 * Plans the copy in a folder outside the app's, of what was emitted into `generated/`; a file there that is not the
 * tool's is never overwritten.
 */
export function copyClient(
  root: string,
  folder: string,
  emitted: readonly EmittedFile[],
): ClientCopy {
  const obstacle = obstacleOf(join(folder, "client"));
  if (obstacle !== null) {
    return refused(
      pathFrom(root, join(folder, "client.ts")),
      `the folder of "client" cannot be used: ${obstacle}`,
      "choose another folder",
    );
  }
  const names = emitted.map(({ path }) => relative("generated", path).replaceAll("\\", "/"));
  const stale = clientFilesIn(folder).filter((name) => !names.includes(name));
  const copies = [
    ...emitted.map(({ text }, at) => copyFile(root, join(folder, names[at] ?? ""), text)),
    ...stale.map((name) => copyFile(root, join(folder, name), null)),
  ];
  return {
    writes: copies.flatMap(({ writes }) => writes),
    removals: copies.flatMap(({ removals }) => removals),
    problems: copies.flatMap(({ problems }) => problems),
  };
}

/** `text` is null if the app no longer has that file. */
function copyFile(root: string, target: string, text: string | null): ClientCopy {
  const path = pathFrom(root, target);
  const written = textOf(target);
  const isOwn = written !== null && hasHeader(written);
  if (text === null) return { writes: [], removals: isOwn ? [path] : [], problems: [] };
  if (written === text) return { writes: [], removals: [], problems: [] };
  if (written === "" || isOwn) return { writes: [{ path, text }], removals: [], problems: [] };
  return refused(
    path,
    'in the folder of "client" there is a file that this command did not write',
    "move it, or choose another folder for the client",
  );
}

function refused(file: string, message: string, hint: string): ClientCopy {
  return { writes: [], removals: [], problems: [{ file, line: 1, column: 1, message, hint }] };
}

function pathFrom(root: string, target: string): string {
  return relative(root, target).replaceAll("\\", "/");
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

import { accessSync, constants, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Problem } from "../../runtime/values/problem.js";
import { type EmittedFile, hasHeader } from "../emit/file.js";
import { clientFilesIn } from "./client-files.js";
import { followed } from "./unusable.js";

/** A second copy of the client, for a front end: the files to write or remove, or the reason why it is not possible. */
export interface ClientCopy {
  /** Empty if the folder is up to date. */
  readonly writes: readonly EmittedFile[];
  readonly removals: readonly string[];
  readonly problems: readonly Problem[];
}

/**
 * Plans a copy of the client from `generated/` to an outside folder. Never overwrites a file there that the tool did
 * not write.
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

/** Plans the copy of one file; `text` is null if the app no longer has that file. */
function copyFile(root: string, target: string, text: string | null): ClientCopy {
  const path = pathFrom(root, target);
  const written = textOf(target);
  const isOwn = written !== null && hasHeader(written);
  if (text === null) return { writes: [], removals: isOwn ? [path] : [], problems: [] };
  if (written === text) return { writes: [], removals: [], problems: [] };
  if (written === "" || isOwn) return { writes: [{ path, text }], removals: [], problems: [] };
  return refused(
    path,
    'the folder of "client" contains a file that this command did not write',
    "move it, or choose another folder for the client",
  );
}

function refused(file: string, message: string, hint: string): ClientCopy {
  return { writes: [], removals: [], problems: [{ file, line: 1, column: 1, message, hint }] };
}

function pathFrom(root: string, target: string): string {
  return relative(root, target).replaceAll("\\", "/");
}

/** Returns an empty string if the path does not exist; null if it is not a readable file. */
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

/** Returns the reason why the folder cannot be created or written to; null if it can. */
function obstacleOf(folder: string): string | null {
  const found = followed(folder);
  if (found === "nothing") {
    const above = dirname(folder);
    return above === folder ? `${folder} does not exist` : obstacleOf(above);
  }
  if (found === "broken") return `${folder} is a broken symbolic link`;
  if (found === "circle") {
    const above = dirname(folder);
    return followed(above) === "circle" ? obstacleOf(above) : `${folder} is a circular link`;
  }
  if (!found.isDirectory()) return `${folder} is a file`;
  try {
    // The file is replaced, so its own permissions do not matter.
    accessSync(folder, constants.W_OK);
    return null;
  } catch {
    return `you have no permission to write in ${folder}`;
  }
}

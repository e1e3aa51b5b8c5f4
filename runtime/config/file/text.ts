import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Problem } from "../../values/problem.js";

export const file = "service.yaml";

const missing: Problem = {
  file,
  line: 1,
  column: 1,
  message: "The file is missing or cannot be read",
  hint: "run the command in the app's folder, or create an app: npx service init <dir>",
};

const irregular: Problem = {
  ...missing,
  message: "This is not a regular file",
  hint: "service.yaml is a regular file, or a link to one",
};

const folder: Problem = { ...irregular, message: "This is a folder" };

interface ReadText {
  /** Empty if the file is refused. */
  readonly text: string;
  readonly refused: Problem | null;
}

/**
 * Reads the text of `service.yaml`. Only a regular file, or a link to one, is opened, because reading a pipe would
 * never end.
 */
export function readText(root: string): ReadText {
  const path = join(root, file);
  try {
    const found = statSync(path);
    if (found.isDirectory()) return { text: "", refused: folder };
    if (!found.isFile()) return { text: "", refused: irregular };
    return { text: readFileSync(path, "utf8"), refused: null };
  } catch (error) {
    if (error instanceof Error && "code" in error) return { text: "", refused: missing };
    throw error;
  }
}

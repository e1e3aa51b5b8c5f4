import { relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** Event sent for an uncaught error in the server's process; published by `runtime/app`. */
export const faultEvent = z.object({ stack: z.string() });

/**
 * The command's message about an uncaught error: the error's message and its position in the app's
 * files.
 */
export function describeFault({ stack }: z.infer<typeof faultEvent>, root: string): string {
  const [message = ""] = stack.split("\n");
  const place = placeIn(stack, root);
  return `Uncaught error${place === null ? "" : ` at ${place}`}: ${message}`;
}

/**
 * Returns the first position in the stack that is in the app's files, such as `hooks.ts:12:5`; null if there is none.
 */
function placeIn(stack: string, root: string): string | null {
  for (const [, file = "", position = ""] of stack.matchAll(frame)) {
    const path = relative(root, file.startsWith("file:") ? fileURLToPath(file) : file);
    const isOwn = !path.startsWith("..") && !path.split(sep).includes("node_modules");
    if (isOwn && !file.startsWith("node:")) return path + position;
  }
  return null;
}

const frame = /^ +at (?:.* \()?((?:file:|\/|[A-Za-z]:\\)[^()]*?)(:\d+:\d+)\)?$/gm;

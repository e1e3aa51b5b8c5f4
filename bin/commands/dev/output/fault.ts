import { relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** What the server's process reports about an error that nothing caught; `runtime/app` publishes it. */
export const faultEvent = z.object({ stack: z.string() });

/** What the command says of it: the error's message, and the place in the app's files. */
export function describeFault({ stack }: z.infer<typeof faultEvent>, root: string): string {
  const [message = ""] = stack.split("\n");
  const place = placeIn(stack, root);
  return `Nothing catches this error${place === null ? "" : ` of ${place}`}: ${message}`;
}

/** The first line of the stack that is one of the app's own files, as `hooks.ts:12:5`; null without one. */
function placeIn(stack: string, root: string): string | null {
  for (const [, file = "", position = ""] of stack.matchAll(frame)) {
    const path = relative(root, file.startsWith("file:") ? fileURLToPath(file) : file);
    const isOwn = !path.startsWith("..") && !path.split(sep).includes("node_modules");
    if (isOwn && !file.startsWith("node:")) return path + position;
  }
  return null;
}

const frame = /^ +at (?:.* \()?((?:file:|\/|[A-Za-z]:\\)[^()]*?)(:\d+:\d+)\)?$/gm;

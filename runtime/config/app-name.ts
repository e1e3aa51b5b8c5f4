import { basename, resolve } from "node:path";
import { z } from "zod";
import { readDocument } from "./document.js";

/** What an app is called: its `app.name`, or its folder's name where that is not written or cannot be read. */
export function readAppName(root: string): string {
  const { value } = readDocument(root, {});
  const { data } = written.safeParse(value);
  return data?.app?.name || basename(resolve(root)) || "app";
}

const written = z.object({ app: z.object({ name: z.string().nullish() }).nullish() });

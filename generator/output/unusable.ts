import { lstatSync, type Stats, statSync } from "node:fs";

/** Thrown for a path that the user has to change before anything can be written. */
export class UnusablePath extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = "UnusablePath";
    this.hint = hint;
  }
}

/** Returns what a path refers to after following links: its status, nothing, or a link that cannot be followed. */
export function followed(path: string): Stats | "nothing" | "broken" | "circle" {
  try {
    return statSync(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ELOOP") return "circle";
    if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
    return isThere(path) ? "broken" : "nothing";
  }
}

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

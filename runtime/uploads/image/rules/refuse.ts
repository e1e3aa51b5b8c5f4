import { access } from "node:fs/promises";
import { refuse } from "../../../errors/index.js";

/** Refuses the file: 422 with that sentence alone. */
export function refusePicture(error: string): never {
  return refuse("INVALID", { error });
}

export function refuseDamaged(): never {
  return refusePicture("The picture is damaged, or of a kind that is not taken");
}

/**
 * Does what sharp does with the file at that path. What goes wrong there is the file's fault, and
 * refused, unless the file is gone or the machine has run out of something.
 */
export async function reading<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isOfLibrary(error)) throw error;
    await access(path);
    return refuseDamaged();
  }
}

/**
 * Libraries' complaints about files come as plain errors; refusals, mistakes of our own and a lack of
 * memory have classes of theirs, and errors of the system name its call.
 */
function isOfLibrary(error: unknown): boolean {
  if (!(error instanceof Error) || error.constructor !== Error) return false;
  return !("syscall" in error) && !lack.test(error.message);
}

/** What libvips says when it gets no memory, or no file from the system. */
const lack = /vips_tracked: out of memory|unix error/;

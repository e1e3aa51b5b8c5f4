import { access } from "node:fs/promises";
import { refuse } from "../../../errors/index.js";

/** Refuses the picture with 422 and only this sentence. */
export function refusePicture(error: string): never {
  return refuse("INVALID", { error });
}

export function refuseDamaged(): never {
  return refusePicture("The picture is damaged, or of an unsupported kind");
}

/** Refuses a phone's picture that the installed library cannot decode. */
export function refuseHeic(): never {
  return refusePicture(
    "HEIC pictures are not supported: send the picture as JPEG, PNG or AVIF (on an iPhone: Settings, Camera, Formats, Most Compatible)",
  );
}

/**
 * Runs work that uses sharp on the file at that path. A failure is treated as a damaged file, which is refused, unless
 * the file is missing or the machine has run out of a resource.
 */
export async function reading<T>(
  path: string,
  work: () => Promise<T>,
  refuseFile: () => never = refuseDamaged,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isOfLibrary(error)) throw error;
    await access(path);
    return refuseFile();
  }
}

/**
 * Whether a library reported a bad file: that is a plain `Error`. Refusals, our own bugs and out-of-memory errors have
 * other classes; system errors have a `syscall`.
 */
function isOfLibrary(error: unknown): boolean {
  if (!(error instanceof Error) || error.constructor !== Error) return false;
  return !("syscall" in error) && !exhausted.test(error.message);
}

/** libvips's messages if the system refuses memory or a file. */
const exhausted = /vips_tracked: out of memory|unix error/;

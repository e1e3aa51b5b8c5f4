import type { ReadFile } from "../../own-code/index.js";
import { readObject } from "../objects/read.js";
import type { UploadServices } from "../objects/services.js";
import { usingStorage } from "../storage/available.js";
import { isKey } from "../storage/key.js";
import { findObject } from "./store.js";

type ReadingServices = Pick<UploadServices, "db" | "storage" | "log">;

/** Reads a stored file for app code; null if there is none, or if its bytes are missing from the storage. */
export async function readAppFile(
  services: ReadingServices,
  key: string,
): Promise<ReadFile | null> {
  const object = isKey(key) ? await findObject(services.db, key) : null;
  if (object === null) return null;
  const stream = await usingStorage(services, () => readObject(services, object));
  if (stream === null) return null;
  const { size, file } = object;
  return { name: file.name, type: file.mime, size, stream };
}

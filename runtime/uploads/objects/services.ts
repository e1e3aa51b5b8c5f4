import { partsFor, type ServerServices } from "../../own-code/index.js";
import type { DecoderProcess } from "../image/decoder/open.js";
import type { FileStores } from "../storage/open.js";
import type { PrivateFiles } from "./private-files.js";

/** Services of the upload handlers, in addition to those of every request. */
export interface UploadServices extends ServerServices, FileStores {
  readonly decoder: DecoderProcess;
  readonly privateFiles: PrivateFiles;
}

/** The services of a request. */
export function uploadsFor(
  all: UploadServices,
  { services: { request = null } }: { readonly services: Pick<ServerServices, "request"> },
): UploadServices {
  const { storage } = all;
  return {
    ...all,
    ...partsFor(all, request),
    storage: storage.of?.(request?.traceparent ?? null) ?? storage,
  };
}

/** Services of background work on stored files. */
export type StorageServices = Pick<ServerServices, "config" | "db" | "clock" | "log"> & FileStores;

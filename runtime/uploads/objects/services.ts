import { type ServerServices, servicesFor } from "../../own-code/index.js";
import type { DecoderProcess } from "../image/decoder/open.js";
import type { FileStores } from "../storage/open.js";
import type { PrivateFiles } from "./private-files.js";

/** What the handlers of uploads use in addition to the common services. */
export interface UploadServices extends ServerServices, FileStores {
  readonly decoder: DecoderProcess;
  readonly privateFiles: PrivateFiles;
}

/** The same for a request. */
export function uploadsFor(
  all: UploadServices,
  { services: { request = null } }: { readonly services: Pick<ServerServices, "request"> },
): UploadServices {
  const { storage } = all;
  return {
    ...servicesFor(all, request),
    storage: storage.of?.(request?.traceparent ?? null) ?? storage,
  };
}

/** What background work on stored files needs. */
export type StorageServices = Pick<ServerServices, "config" | "db" | "clock" | "log"> & FileStores;

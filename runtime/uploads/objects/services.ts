import type { ServerServices } from "../../own-code/index.js";
import type { DecoderProcess } from "../image/decoder/open.js";
import type { FileStores } from "../storage/open.js";
import type { PrivateFiles } from "./private-files.js";

/** What the handlers of uploads use in addition to the common services. */
export interface UploadServices extends ServerServices, FileStores {
  readonly decoder: DecoderProcess;
  readonly privateFiles: PrivateFiles;
}

/** What background work on stored files needs. */
export type StorageServices = Pick<ServerServices, "config" | "db" | "clock" | "log"> & FileStores;

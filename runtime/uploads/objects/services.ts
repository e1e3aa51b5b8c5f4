import type { Services } from "../../services/index.js";
import type { DecoderProcess } from "../image/decoder/open.js";
import type { FileStores } from "../storage/open.js";

/** What the handlers of this room use beside what all do. */
export interface UploadServices extends Services, FileStores {
  readonly decoder: DecoderProcess;
}

/** What work on stored files needs that nobody's request has asked for. */
export type StorageServices = Pick<UploadServices, "config" | "db" | "clock" | "log"> & FileStores;

import type { Services } from "../../services/index.js";
import type { DecoderApart } from "../image/decoder/apart.js";
import type { FilePlaces } from "../storage/open.js";

/** What the handlers of this room use beside what all do. */
export interface UploadServices extends Services, FilePlaces {
  readonly decoder: DecoderApart;
}

/** What work on stored files needs that nobody's request has asked for. */
export type StorageServices = Pick<UploadServices, "config" | "db" | "clock" | "log"> & FilePlaces;

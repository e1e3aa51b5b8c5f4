import type { Picture } from "../encode.js";
import type { Header } from "../header.js";
import type { Output } from "../size.js";

/** What reads and makes pictures: the functions of those names, in this process or in another. */
export interface Decoder {
  readHeader(path: string): Promise<Header>;
  makePictures(header: Header, outputs: readonly Output[]): Promise<readonly Picture[]>;
}

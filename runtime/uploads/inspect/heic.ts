import { isHevcBrand } from "../../values/files/hevc.js";

/**
 * The type of a HEIC by its first brand; the library takes some of these brands for video. Null if it is not an HEVC
 * brand, such as `mif1`.
 */
export function typeOfHeic(opening: Uint8Array): string | null {
  const head = Buffer.from(opening.subarray(4, 12)).toString("latin1");
  const brand = head.slice(4);
  if (!head.startsWith("ftyp") || !isHevcBrand(brand)) return null;
  return brand.startsWith("hev") ? "image/heic-sequence" : "image/heic";
}

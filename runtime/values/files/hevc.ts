/** The brands of HEIC files from phones. Libraries that decode them need a license. */
const hevcBrand = /^(?:hei[cxms]|hev[cxms])$/;

/** Whether a brand of an ISO media file identifies a HEIC. */
export function isHevcBrand(brand: string): boolean {
  return hevcBrand.test(brand);
}

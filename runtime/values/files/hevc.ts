/** The brands that phones write into HEIC files; libraries for them need a licence. */
const hevcBrand = /^(?:hei[cxms]|hev[cxms])$/;

/** Whether a brand of an ISO media file says that it is a HEIC. */
export function isHevcBrand(brand: string): boolean {
  return hevcBrand.test(brand);
}

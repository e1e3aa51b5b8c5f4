import type { Sharp, SharpInput, SharpOptions } from "sharp";

export type OpenImage = (input: SharpInput, options: SharpOptions) => Sharp;

/**
 * The loaders of the supported formats. Every other loader of libvips (SVG, PDF, camera raws, its own formats)
 * stays blocked, whatever a file claims to be.
 */
const loaders = ["Jpeg", "Png", "Webp", "Nsgif", "Heif", "Tiff"].map(
  (format) => `VipsForeignLoad${format}`,
);

let loading: Promise<OpenImage> | undefined;

/** Loads sharp once, at the first call. */
export function loadSharp(): Promise<OpenImage> {
  loading ??= load();
  return loading;
}

async function load(): Promise<OpenImage> {
  const { default: sharp } = await import("sharp");
  // Files are hardly ever decoded twice, so libvips would cache operations for nothing.
  sharp.cache(false);
  // The queue decides how many pictures are processed; one thread for each leaves processors to requests.
  sharp.concurrency(1);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: loaders });
  return sharp;
}

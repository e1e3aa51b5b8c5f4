import type { Sharp, SharpInput, SharpOptions } from "sharp";

export type OpenImage = (input: SharpInput, options: SharpOptions) => Sharp;

/**
 * The loaders of the formats that are taken. Every other one of libvips (SVG, PDF, camera raws, its
 * own formats) stays shut, whatever a file claims to be.
 */
const loaders = ["Jpeg", "Png", "Webp", "Nsgif", "Heif", "Tiff"].map(
  (format) => `VipsForeignLoad${format}`,
);

let loading: Promise<OpenImage> | undefined;

/** sharp, loaded once, when it is first asked for. */
export function loadSharp(): Promise<OpenImage> {
  loading ??= load();
  return loading;
}

async function load(): Promise<OpenImage> {
  const { default: sharp } = await import("sharp");
  // No file comes twice, so that libvips would keep operations for nothing.
  sharp.cache(false);
  // The queue decides how many pictures are in work; one thread each leaves processors to requests.
  sharp.concurrency(1);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: loaders });
  return sharp;
}

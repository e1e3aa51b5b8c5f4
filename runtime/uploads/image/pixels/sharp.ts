import type { Sharp, SharpInput, SharpOptions } from "sharp";

export type OpenImage = (input: SharpInput, options: SharpOptions) => Sharp;

/**
 * The loaders of the supported formats. All other loaders of libvips (PDF, camera raws, its own formats) stay blocked,
 * whatever a file claims to be.
 */
const loaders = ["Jpeg", "Png", "Webp", "Nsgif", "Heif", "Tiff", "Svg"].map(
  (format) => `VipsForeignLoad${format}`,
);

let loading: Promise<OpenImage> | undefined;

/** Loads sharp once, at the first call. */
export function loadSharp(): Promise<OpenImage> {
  loading ??= load();
  return loading;
}

/**
 * Whether the installed libvips reads HEIC. The one bundled with sharp does not, as the decoder needs a license. A
 * system's libvips may lack the decoder too, but reports that only when decoding.
 */
export async function decodesHeic(): Promise<boolean> {
  const { default: sharp } = await import("sharp");
  const suffixes: readonly string[] = sharp.format.heif?.input.fileSuffix ?? [];
  return suffixes.includes(".heic");
}

async function load(): Promise<OpenImage> {
  const { default: sharp } = await import("sharp");
  // Files are rarely decoded twice, so libvips's cache would be useless.
  sharp.cache(false);
  // The queue limits how many pictures are processed at once; one thread for each leaves CPUs to requests.
  sharp.concurrency(1);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: loaders });
  return sharp;
}

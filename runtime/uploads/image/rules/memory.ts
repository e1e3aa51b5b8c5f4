import type { Metadata } from "sharp";
import type { Size } from "./size.js";

/*
 * How much memory decoders take, in bytes. Each number is the growth of a process that decodes one
 * picture (its peak resident set), measured with sharp 0.35 and libvips 8.18 on pictures of 6, 12, 24,
 * 48 and 100 megapixels, and rounded up:
 *
 * | bytes for each pixel | measured | counted |
 * | --- | ---: | ---: |
 * | JPEG, progressive: for each channel | 1.0–2.1 | 2 |
 * | PNG, interlaced: for each byte of a pixel | 1.2–1.6 | 1, and lines |
 * | WebP, lossless | 4.4 | 4.5 |
 * | GIF | 4.9 | 4.9 |
 * | AVIF of 8 bits, 4:2:0 | 15–18 | 18 |
 * | AVIF of 8 bits, 4:4:4 | 18.4 | 21 |
 * | AVIF of 10 or 12 bits, 4:2:0 | 18.6 | 22 |
 * | AVIF of 10 or 12 bits, 4:4:4 | 25 | 28 |
 * | transparency in AVIF | 0.5–1.5 | 2 |
 */

/** The memory of a decoder that works line by line: it holds up to two thousand lines. */
export function linesBytes({ width, height }: Size, pixelBytes: number): number {
  return width * Math.min(height, 2000) * pixelBytes;
}

/** The memory use for a JPEG, PNG, WebP or GIF, from the library's metadata. */
export function memoryOf(found: Metadata): number {
  const { width, height, format, isProgressive, channels, depth } = found;
  const pixels = width * height;
  // Lossless WebP and animation frames are held completely; their headers are not read, so all WebP counts as such.
  if (format === "webp") return pixels * 4.5;
  if (format === "gif") return pixels * 4.9;
  const pixelBytes = channels * (sampleBytes[depth] ?? 8);
  const lines = linesBytes(found, pixelBytes);
  if (!isProgressive) return lines;
  // The coefficients of a JPEG take two bytes each; the rest is the pixels of an interlaced PNG.
  return lines + pixels * (format === "png" ? pixelBytes : 2 * channels);
}

const sampleBytes: Readonly<Record<string, number>> = { uchar: 1, char: 1, ushort: 2, short: 2 };

/** Coding properties of an AVIF picture that determine the memory use. */
export interface AvifForm {
  readonly isHighDepth: boolean;
  readonly isSubsampled: boolean;
  readonly isTransparent: boolean;
}

/** The memory for an AVIF: frames of the stream, and the whole picture in YCbCr and in RGB. */
export function avifMemory(pixels: number, form: AvifForm): number {
  const { isHighDepth, isSubsampled, isTransparent } = form;
  const coded = isHighDepth ? (isSubsampled ? 22 : 28) : isSubsampled ? 18 : 21;
  return pixels * (coded + (isTransparent ? 2 : 0));
}

/** How a TIFF's pixels are divided into tiles or strips. */
export interface TiffPieces {
  readonly size: Size;
  /** The size of a tile or strip. */
  readonly piece: Size;
  readonly isTiled: boolean;
  readonly pixelBytes: number;
  /** Whether libvips reads a strip line by line, whatever its length. */
  readonly isReadInLines: boolean;
}

/**
 * The memory use for a TIFF. Two rows of tiles are held, or a strip twice: decompressed and as it is passed on.
 * Measured with 48 megapixels: 313 MB for one strip of YCbCr, 265 for one of planes, 227 with tiles of 4096 × 4096.
 * With strips that are read line by line: 58 MB. Computed for 8000 × 6000 pixels of three bytes: 336 for one strip, 249
 * with such tiles, 48 line by line.
 */
export function tiffMemory({
  size,
  piece,
  isTiled,
  pixelBytes,
  isReadInLines,
}: TiffPieces): number {
  const lines = linesBytes(size, pixelBytes);
  const pieceBytes = piece.width * piece.height * pixelBytes;
  if (isTiled) return lines + 2 * (1 + Math.floor(size.width / piece.width)) * pieceBytes;
  return isReadInLines ? lines : lines + 2 * pieceBytes;
}

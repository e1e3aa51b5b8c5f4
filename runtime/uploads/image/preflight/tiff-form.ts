import { refusePicture } from "../rules/refuse.js";
import type { TiffTags } from "./tiff-tags.js";

/** How a TIFF page stores pixels. Names and numbers are those of the TIFF 6.0 specification. */
export interface TiffForm {
  readonly compression: number;
  readonly photometric: number;
  readonly samplesPerPixel: number;
  readonly bitsPerSample: readonly number[];
  readonly sampleFormats: readonly number[];
  readonly isPlanar: boolean;
  readonly inkSet: number;
  readonly isSubsampled: boolean;
}

const jpegCompression = 7;
/** Supported compressions: none, the three fax ones, LZW, JPEG, Deflate under both its numbers, PackBits, WebP. */
const compressions = new Set([1, 2, 3, 4, 5, jpegCompression, 8, 32946, 32773, 50001]);

const unsigned = 1;
const cmykInks = 1;

/** A color model (PhotometricInterpretation), with the forms that libvips renders correctly. */
interface Kind {
  readonly bits: readonly number[];
  readonly colours: number;
  /** Whether an additional channel may be transparency. */
  readonly mayBeTransparent: boolean;
  readonly mayBePlanar: boolean;
}

const grey: Kind = {
  bits: [1, 2, 4, 8, 16],
  colours: 1,
  mayBeTransparent: true,
  mayBePlanar: false,
};
/** YCbCr, the color model of JPEG compression. */
export const yCbCr = 6;
const separated = 5;
const kinds: Readonly<Record<number, Kind>> = {
  0: grey,
  1: grey,
  2: { bits: [8, 16], colours: 3, mayBeTransparent: true, mayBePlanar: true },
  3: { bits: [1, 2, 4, 8, 16], colours: 1, mayBeTransparent: true, mayBePlanar: false },
  [separated]: { bits: [8, 16], colours: 4, mayBeTransparent: true, mayBePlanar: true },
  [yCbCr]: { bits: [8], colours: 3, mayBeTransparent: false, mayBePlanar: false },
  // CIE Lab. libvips does not support 8-bit Lab or its transparency.
  8: { bits: [16], colours: 3, mayBeTransparent: false, mayBePlanar: false },
};

/** Reads how a page stores pixels, with the defaults of the specification. */
export async function readForm({ value, values }: TiffTags): Promise<TiffForm> {
  const samplesPerPixel = await value(277, 1);
  const subsampling = (await values(530)) ?? [2, 2];
  return {
    compression: await value(259, 1),
    photometric: await value(262),
    samplesPerPixel,
    bitsPerSample: ((await values(258)) ?? [1]).slice(0, samplesPerPixel),
    sampleFormats: ((await values(339)) ?? [unsigned]).slice(0, samplesPerPixel),
    isPlanar: (await value(284, 1)) === 2 && samplesPerPixel > 1,
    inkSet: await value(332, cmykInks),
    isSubsampled: subsampling.some((each) => each !== 1),
  };
}

/**
 * Refuses forms for which libvips returns an empty or wrong picture without an error. Each rule was found by comparing
 * its results for public test files with those of libtiff, Pillow and ImageMagick.
 */
export function refuseUnrenderable(form: TiffForm): void {
  const { compression, photometric, samplesPerPixel, bitsPerSample, sampleFormats } = form;
  if (!compressions.has(compression)) {
    refusePicture("This TIFF has an unsupported compression: save it with LZW, Deflate or JPEG");
  }
  if (sampleFormats.some((format) => format !== unsigned)) {
    refusePicture(
      "This TIFF has signed or floating-point samples: save it with 8 or 16 bits per channel",
    );
  }
  const kind = kinds[photometric] ?? refuseColours();
  const bits = [...new Set(bitsPerSample)];
  if (bits.length > 1 || !bits.every((each) => kind.bits.includes(each))) {
    const right = kind.bits.filter((each) => each >= 8).join(" or ");
    refusePicture(`This TIFF has ${bits.join(" and ")} bits per channel: save it with ${right}`);
  }
  if (samplesPerPixel > kind.colours + 1) {
    refusePicture("This TIFF has more channels than its colors and transparency need");
  }
  if (samplesPerPixel > kind.colours && !kind.mayBeTransparent) refuseColours();
  if (photometric === separated && form.inkSet !== cmykInks) refuseColours();
  if (form.isPlanar && !kind.mayBePlanar) {
    refusePicture("This TIFF stores its channels in separate planes: save it interleaved");
  }
  // libjpeg converts this color model, or libtiff if it is subsampled; otherwise it stays unconverted.
  if (photometric === yCbCr && compression !== jpegCompression && !form.isSubsampled) {
    refuseColours();
  }
}

/** Whether libtiff converts the page to RGBA before libvips gets it. */
export function isConverted({ photometric, compression, isSubsampled }: TiffForm): boolean {
  return photometric === yCbCr && compression !== jpegCompression && isSubsampled;
}

function refuseColours(): never {
  return refusePicture("This TIFF has an unsupported color space: save it as RGB");
}

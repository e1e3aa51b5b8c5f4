import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Refusal } from "../../../../../runtime/errors/index.js";
import { processImage } from "../../../../../runtime/uploads/image/process.js";
import {
  type Colour,
  distance,
  fieldColours,
  fields,
  fieldsOf,
  pictureFolder,
  profileOf,
} from "../../../../support/pictures/pictures.js";
import { type TiffTags, tiff, tiffTag } from "../../../../support/pictures/tiff.js";

const size = { width: 64, height: 48 };
const profile = profileOf({ width: 64, height: 64, fit: "contain" });
let folder: Awaited<ReturnType<typeof pictureFolder>>;

beforeAll(async () => {
  folder = await pictureFolder();
});
afterAll(() => folder.remove());

/** How one sample is written; its value is 0 to 255. */
type Write = (file: Buffer, value: number, at: number) => void;
interface Sample {
  readonly bits: number;
  readonly format: number;
  readonly write: Write;
}

const unsigned8: Sample = {
  bits: 8,
  format: 1,
  write: (file, value, at) => file.writeUInt8(value, at),
};
const unsigned16: Sample = {
  bits: 16,
  format: 1,
  write: (file, value, at) => file.writeUInt16LE(value * 257, at),
};
const unsigned32: Sample = {
  bits: 32,
  format: 1,
  write: (file, value, at) => file.writeUInt32LE(value * 0x01010101, at),
};
const signed8: Sample = {
  bits: 8,
  format: 2,
  write: (file, value, at) => file.writeInt8(value - 128, at),
};
const signed16: Sample = {
  bits: 16,
  format: 2,
  write: (file, value, at) => file.writeInt16LE((value - 128) * 256, at),
};
const float32: Sample = {
  bits: 32,
  format: 3,
  write: (file, value, at) => file.writeFloatLE(value / 255, at),
};

/** The four fields in red, green and blue, or their brightness; an even number adds an opacity of 255. */
async function pixelsOf(channels: number): Promise<Buffer> {
  const image = channels < 3 ? fields(size).greyscale().toColourspace("b-w") : fields(size);
  const opaque = await image.raw().toBuffer();
  if (channels % 2 === 1) return opaque;
  const colours = channels - 1;
  return Buffer.from(
    Array.from({ length: (opaque.length / colours) * channels }, (_, at) =>
      at % channels === colours
        ? 255
        : (opaque[Math.floor(at / channels) * colours + (at % channels)] ?? 0),
    ),
  );
}

function written(values: readonly number[], { bits, write }: Sample): Buffer {
  const bytes = Buffer.alloc((values.length * bits) / 8);
  for (const [at, value] of values.entries()) write(bytes, value, (at * bits) / 8);
  return bytes;
}

interface Form {
  readonly channels: number;
  readonly sample?: Sample;
  readonly isPlanar?: boolean;
  readonly tags?: TiffTags;
}

/** The four fields as an uncompressed TIFF of one strip, or of one for each channel. */
async function fieldsTiff({ channels, sample = unsigned8, isPlanar = false, tags = {} }: Form) {
  const pixels = await pixelsOf(channels);
  const planes = Array.from({ length: isPlanar ? channels : 1 }, (_, plane) =>
    written(
      isPlanar ? [...pixels.filter((_, at) => at % channels === plane)] : [...pixels],
      sample,
    ),
  );
  return tiff(
    {
      [tiffTag.width]: [size.width],
      [tiffTag.height]: [size.height],
      [tiffTag.bits]: Array(channels).fill(sample.bits),
      [tiffTag.compression]: [1],
      [tiffTag.photometric]: [channels < 3 ? 1 : 2],
      [tiffTag.samples]: [channels],
      [tiffTag.rowsPerStrip]: [size.height],
      [tiffTag.stripLengths]: planes.map(({ length }) => length),
      [tiffTag.planes]: [isPlanar ? 2 : 1],
      ...(channels % 2 === 0 ? { [tiffTag.extraSamples]: [2] } : {}),
      [tiffTag.sampleFormat]: Array(channels).fill(sample.format),
      ...tags,
    },
    planes,
  );
}

async function outcomeOf(bytes: Uint8Array) {
  return processImage(await folder.write(bytes), profile).catch((error: unknown) => error);
}

async function expectRefused(bytes: Uint8Array, error: string): Promise<void> {
  expect(await outcomeOf(bytes)).toEqual(new Refusal("INVALID", { error }));
}

async function greys(): Promise<Colour[]> {
  return fieldsOf({ bytes: await fields(size).greyscale().png().toBuffer() });
}

describe("is rendered correctly:", () => {
  test.each([
    ["8 bits", { channels: 3 }],
    ["16 bits", { channels: 3, sample: unsigned16 }],
    ["planes", { channels: 3, isPlanar: true }],
    ["planes of 16 bits", { channels: 3, sample: unsigned16, isPlanar: true }],
    ["transparency", { channels: 4 }],
    ["transparency in planes", { channels: 4, isPlanar: true }],
  ] as const)("colour with %s", async (_, form) => {
    const { main } = await processImage(await folder.write(await fieldsTiff(form)), profile);
    expect(distance(await fieldsOf(main), fieldColours)).toBeLessThan(16);
  });

  test.each([
    ["8 bits", { channels: 1 }],
    ["16 bits", { channels: 1, sample: unsigned16 }],
    ["transparency", { channels: 2 }],
  ] as const)("grey with %s", async (_, form) => {
    const { main } = await processImage(await folder.write(await fieldsTiff(form)), profile);
    expect(distance(await fieldsOf(main), await greys())).toBeLessThan(8);
  });
});

const needsUnsigned =
  "This TIFF has signed or floating-point samples: save it with 8 or 16 bits per channel";
const needsBits = (bits: number) => `This TIFF has ${bits} bits per channel: save it with 8 or 16`;
const needsOnePlane = "This TIFF stores its channels in separate planes: save it interleaved";
const needsCompression =
  "This TIFF has an unsupported compression: save it with LZW, Deflate or JPEG";
const needsColours = "This TIFF has an unsupported color space: save it as RGB";
const needsFewerChannels = "This TIFF has more channels than its colors and transparency need";

describe("is refused, though libvips renders an empty or a wrong picture:", () => {
  test.each([
    ["grey of 32 bits", { channels: 1, sample: unsigned32 }, needsBits(32)],
    ["colour of 32 bits", { channels: 3, sample: unsigned32 }, needsBits(32)],
    ["signed grey", { channels: 1, sample: signed8 }, needsUnsigned],
    ["signed grey of 16 bits", { channels: 1, sample: signed16 }, needsUnsigned],
    ["signed colour", { channels: 3, sample: signed8 }, needsUnsigned],
    ["floating-point grey", { channels: 1, sample: float32 }, needsUnsigned],
    ["floating-point colour", { channels: 3, sample: float32 }, needsUnsigned],
    [
      "planes of floating-point colour",
      { channels: 3, sample: float32, isPlanar: true },
      needsUnsigned,
    ],
    ["planes of grey with transparency", { channels: 2, isPlanar: true }, needsOnePlane],
    [
      "YCbCr in planes",
      {
        channels: 3,
        isPlanar: true,
        tags: { [tiffTag.photometric]: [6], [tiffTag.subsampling]: [1, 1] },
      },
      needsOnePlane,
    ],
    [
      "YCbCr that is neither subsampled nor JPEG",
      { channels: 3, tags: { [tiffTag.photometric]: [6], [tiffTag.subsampling]: [1, 1] } },
      needsColours,
    ],
    [
      "Lab with transparency",
      { channels: 4, sample: unsigned16, tags: { [tiffTag.photometric]: [8] } },
      needsColours,
    ],
    [
      "Lab of 8 bits",
      { channels: 3, tags: { [tiffTag.photometric]: [8] } },
      "This TIFF has 8 bits per channel: save it with 16",
    ],
    ["ICC Lab", { channels: 3, tags: { [tiffTag.photometric]: [9] } }, needsColours],
    [
      "a colour filter's pattern",
      { channels: 1, tags: { [tiffTag.photometric]: [32803] } },
      needsColours,
    ],
    [
      "inks other than cyan, magenta, yellow and black",
      {
        channels: 4,
        tags: { [tiffTag.photometric]: [5], [tiffTag.inkSet]: [2], [tiffTag.extraSamples]: [] },
      },
      needsColours,
    ],
    [
      "grey with two channels more",
      { channels: 3, tags: { [tiffTag.photometric]: [1], [tiffTag.extraSamples]: [0, 0] } },
      needsFewerChannels,
    ],
  ] as const)("%s", async (_, form: Form, error) => {
    await expectRefused(await fieldsTiff(form), error);
  });

  test("old-style JPEG", async () => {
    const jpeg = await fields(size).jpeg({ chromaSubsampling: "4:2:0" }).toBuffer();
    const file = tiff(
      {
        [tiffTag.width]: [size.width],
        [tiffTag.height]: [size.height],
        [tiffTag.bits]: [8, 8, 8],
        [tiffTag.compression]: [6],
        [tiffTag.photometric]: [6],
        [tiffTag.samples]: [3],
        [tiffTag.rowsPerStrip]: [size.height],
        [tiffTag.stripLengths]: [jpeg.length],
        [tiffTag.jpegAt]: [8],
        [tiffTag.jpegLength]: [jpeg.length],
        [tiffTag.subsampling]: [2, 2],
      },
      [jpeg],
    );
    await expectRefused(file, needsCompression);
  });
});

import type { ImageProfile } from "../../config/index.js";
import { decode, decodeThrough } from "./decode.js";
import { encode, encodeOpaque, type Picture } from "./encode.js";
import { type Header, readHeader } from "./header.js";
import { inTurn } from "./queue.js";
import { reading, refusePicture } from "./refuse.js";
import { exactOutputOf, type Frame, frameOf, type Output, outputOf, type Size } from "./size.js";

/** A profile with its name: the pictures of `avatar` are always exactly their size, cut and even enlarged. */
export interface NamedProfile extends ImageProfile {
  readonly name: string;
}

export interface ProcessedImage {
  readonly main: Picture;
  readonly renditions: Readonly<Record<string, Picture>>;
}

/**
 * Makes the stored picture and its renditions of a file on disk: upright, in sRGB, without metadata,
 * in WebP. Waits for its turn. The file is not needed any more afterwards, and may differ in its
 * brand. Refuses with `INVALID` what does not decode whole or right, has more than 100 000 000 pixels,
 * is longer than 65 535, or needs more than `maxDecodeMb` megabytes of memory, and with `UNAVAILABLE` when too many pictures are waiting already.
 */
export async function processImage(
  path: string,
  profile: NamedProfile,
  maxDecodeMb = usualDecodeMb,
): Promise<ProcessedImage> {
  const header = await readHeader(path);
  refuseGreedy(header, maxDecodeMb);
  const main = outputMaker(profile)(header.size, profile);
  const renditions = renditionsOf(header.size, profile);
  return workingOn(header, async () => {
    const make = await pictureMaker(header, [main, ...renditions.map(([, output]) => output)]);
    return { main: await make(main), renditions: await makeEach(renditions, make) };
  });
}

/** Makes the renditions alone, of a stored picture on disk. Refuses as `processImage` does. */
export async function makeRenditions(
  path: string,
  profile: NamedProfile,
  maxDecodeMb = usualDecodeMb,
): Promise<ProcessedImage["renditions"]> {
  const header = await readHeader(path);
  refuseGreedy(header, maxDecodeMb);
  const renditions = renditionsOf(header.size, profile);
  if (renditions.length === 0) return {};
  return workingOn(header, async () => {
    const outputs = renditions.map(([, output]) => output);
    return makeEach(renditions, await pictureMaker(header, outputs));
  });
}

/** What `uploads.max_decode_mb` is unless it is set. */
const usualDecodeMb = 512;
const megabyte = 1_048_576;

/** Refuses, before any of it is decoded, a picture whose decoder needs more memory than that. */
function refuseGreedy({ decoderBytes }: Header, maxDecodeMb: number): void {
  if (decoderBytes <= maxDecodeMb * megabyte) return;
  const needed = Math.ceil(decoderBytes / megabyte);
  refusePicture(
    `The picture needs about ${needed} MB to be decoded, more than ${maxDecodeMb} MB (uploads.max_decode_mb)`,
  );
}

/** In its turn. Whatever a library finds fault with refuses the picture. */
function workingOn<T>({ path, decoderBytes }: Header, work: () => Promise<T>): Promise<T> {
  return inTurn(decoderBytes, () => reading(path, work));
}

function outputMaker({ name }: NamedProfile): typeof outputOf {
  return name === "avatar" ? exactOutputOf : outputOf;
}

function renditionsOf(
  original: Size,
  profile: NamedProfile,
): readonly (readonly [string, Output])[] {
  const outputFor = outputMaker(profile);
  return Object.entries(profile.renditions).map(([name, size]) => [
    name,
    outputFor(original, size),
  ]);
}

type Make = (output: Output) => Promise<Picture>;

/** One after the other, for each takes a thread. */
async function makeEach(
  outputs: readonly (readonly [string, Output])[],
  make: Make,
): Promise<Readonly<Record<string, Picture>>> {
  const made: [string, Picture][] = [];
  for (const [name, output] of outputs) made.push([name, await make(output)]);
  return Object.fromEntries(made);
}

/** Decodes once for all outputs. */
async function pictureMaker(header: Header, outputs: readonly Output[]): Promise<Make> {
  if (outputs.length === 1 && !header.hasAlpha && header.colours === null) {
    // Of twenty photographs at once, the pixels held between two steps would be a fifth of all memory.
    return (output) =>
      decodeThrough(header, frameOf(header.size, [output]), (image) => encodeOpaque(image, output));
  }
  const frame = frameOf(header.size, outputs);
  if (isWasteful(frame, outputs)) {
    return async (output) => encode(await decode(header, frameOf(header.size, [output])), output);
  }
  const pixels = await decode(header, frame);
  return (output) => encode(pixels, output);
}

/**
 * Of a picture as long as a street, one output may show a piece in full size and another the whole
 * at a hundredth of it: what holds both is as large as the original, and two decodes are cheaper.
 */
function isWasteful(frame: Frame, outputs: readonly Output[]): boolean {
  const needed = outputs.map(area).reduce((sum, one) => sum + one, 0);
  return area(frame) > Math.max(16_000_000, 4 * needed);
}

function area({ width, height }: Size): number {
  return width * height;
}

import { reading } from "../rules/refuse.js";
import { type Frame, frameOf, type Output, type Size } from "../rules/size.js";
import { decode, decodeThrough } from "./decode.js";
import { encode, encodeOpaque, type Picture } from "./encode.js";
import type { Header } from "./header.js";

/**
 * Makes those pictures of the file that the header was read from, in their order: upright, in sRGB,
 * without metadata, in WebP. Refuses with `INVALID` what does not decode whole.
 */
export function makePictures(
  header: Header,
  outputs: readonly Output[],
): Promise<readonly Picture[]> {
  return reading(header.path, async () => {
    const make = await pictureMaker(header, outputs);
    const made: Picture[] = [];
    // One after the other, for each takes a thread.
    for (const output of outputs) made.push(await make(output));
    return made;
  });
}

type Make = (output: Output) => Promise<Picture>;

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

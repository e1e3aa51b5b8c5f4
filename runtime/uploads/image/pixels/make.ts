import { reading, refuseDamaged, refuseHeic } from "../rules/refuse.js";
import { type Frame, frameOf, type Output, type Size } from "../rules/size.js";
import { decode, decodeThrough } from "./decode.js";
import { encode, encodeOpaque, type Picture } from "./encode.js";
import type { Header } from "./header.js";

/**
 * Renders the outputs, in order, from the file with this header: upright, in sRGB, without metadata, as WebP. Refuses
 * with `INVALID` a file that does not decode completely.
 */
export function makePictures(
  header: Header,
  outputs: readonly Output[],
): Promise<readonly Picture[]> {
  const { path, isHeic } = header;
  const work = async () => {
    const make = await pictureMaker(header, outputs);
    const made: Picture[] = [];
    // One after another, since each occupies a thread.
    for (const output of outputs) made.push(await make(output));
    return made;
  };
  return reading(path, work, isHeic ? refuseHeic : refuseDamaged);
}

type Make = (output: Output) => Promise<Picture>;

/** Decodes once for all outputs. */
async function pictureMaker(header: Header, outputs: readonly Output[]): Promise<Make> {
  if (outputs.length === 1 && !header.hasAlpha && header.colours === null) {
    // With twenty photographs at once, the pixels held between the two steps would be a fifth of all memory.
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
 * Whether one shared decode costs more than one for each output. For a very long picture, one output may show a piece
 * in full size and another the whole at a hundredth. A frame for both is as large as the original.
 */
function isWasteful(frame: Frame, outputs: readonly Output[]): boolean {
  const needed = outputs.map(area).reduce((sum, one) => sum + one, 0);
  return area(frame) > Math.max(16_000_000, 4 * needed);
}

function area({ width, height }: Size): number {
  return width * height;
}

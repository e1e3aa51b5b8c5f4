import { isHevcBrand } from "../../../values/files/hevc.js";
import { type CodedColours, colourSpaceOf } from "../colours/coded.js";
import { refuseOversize } from "../rules/limits.js";
import { avifMemory } from "../rules/memory.js";
import { refuseDamaged, refuseHeic } from "../rules/refuse.js";
import type { Size } from "../rules/size.js";
import { type Av1Sequence, readSequence } from "./av1.js";
import { type Item, readItems } from "./avif-items.js";
import { readBox } from "./boxes.js";
import type { FileView } from "./file-view.js";
import { type Library, noFindings, type Preflight } from "./result.js";

export function isAvif(start: Buffer): boolean {
  return start.toString("latin1", 4, 8) === "ftyp";
}

/**
 * Finds the picture's color space and the memory use of its decoder. Refuses a picture that is too large, in high
 * dynamic range, or a HEIC that the library cannot decode. The library does not report the decoder's memory use, which
 * can be twenty times what the picture's size suggests. Nor does it report the colors of such files, which it renders
 * wrongly.
 */
export async function preflightAvif(file: FileView, { decodesHeic }: Library): Promise<Preflight> {
  const brands = await brandsOf(file);
  if (!brands.some(isAv1) && brands.some(isHevcBrand) && !(await decodesHeic())) refuseHeic();
  const { primary, partsOf, additionsTo } = await readItems(file);
  const size = await sizeOf(file, primary);
  refuseOversize(size);
  const parts = partsOf(primary);
  const additions = additionsTo(primary);
  const isTransparent = additions.length > 0;
  const ownColours = await coloursOf(file, primary);
  const hevc = [primary, ...parts].filter(({ type }) => type === "hvc1" || type === "hev1");
  if (hevc.length > 0) {
    if (!(await decodesHeic())) refuseHeic();
    const forms = await Promise.all([...hevc, ...additions].map((item) => hevcFormOf(file, item)));
    return findingsOf(ownColours === "profile" ? null : ownColours, {
      isHeic: true,
      decoderBytes: avifMemory(area(size), {
        isHighDepth: forms.some(({ isHighDepth }) => isHighDepth),
        isSubsampled: forms.every(({ isSubsampled }) => isSubsampled),
        isTransparent,
      }),
    });
  }
  const coded = [primary, ...parts, ...additions].filter(({ type }) => type === "av01");
  const sequences = await Promise.all(coded.map((item) => sequenceOf(file, item)));
  const [main] = sequences;
  if (main === undefined) return refuseDamaged();
  return findingsOf(ownColours === "profile" ? null : (ownColours ?? main.colours), {
    isHeic: false,
    decoderBytes: avifMemory(Math.max(area(size), ...sequences.map(codedArea)), {
      isHighDepth: sequences.some(({ bitDepth }) => bitDepth > 8),
      isSubsampled: sequences.every((each) => each.isSubsampledX && each.isSubsampledY),
      isTransparent,
    }),
  });
}

function findingsOf(
  colours: CodedColours | null,
  found: Pick<Preflight, "isHeic" | "decoderBytes">,
): Preflight {
  return { ...noFindings, ...found, colours: colours === null ? null : colourSpaceOf(colours) };
}

/**
 * The coding of a HEIC's pixels (ISO/IEC 14496-15, 8.3.3.1). If the box is missing, the coding that needs the most
 * memory.
 */
async function hevcFormOf(file: FileView, { properties }: Item) {
  const box = properties.find(({ type }) => type === "hvcC");
  if (box === undefined || box.to - box.from < 18)
    return { isHighDepth: true, isSubsampled: false };
  const bytes = await file.bytes(box.from + 16, 2);
  return {
    isSubsampled: (bytes.readUInt8(0) & 3) <= 1,
    isHighDepth: (bytes.readUInt8(1) & 7) > 0,
  };
}

function area({ width, height }: Size): number {
  return width * height;
}

function codedArea({ maxWidth, maxHeight }: Av1Sequence): number {
  return maxWidth * maxHeight;
}

/** Maximum size in bytes of the first box, which lists brands; files have fewer than ten. */
const maxBrandBytes = 256;

/** The file's brand and compatible brands: a HEIC's first one may be `mif1`. */
async function brandsOf(file: FileView): Promise<readonly string[]> {
  const length = (await file.bytes(0, 4)).readUInt32BE();
  const head = await file.bytes(0, Math.min(length, maxBrandBytes));
  const text = head.toString("latin1");
  return [text.slice(8, 12), ...(text.slice(16).match(/[\s\S]{4}/g) ?? [])];
}

function isAv1(brand: string): boolean {
  return brand === "avif" || brand === "avis";
}

async function sizeOf(file: FileView, { properties }: Item): Promise<Size> {
  const box = properties.find(({ type }) => type === "ispe") ?? refuseDamaged();
  const read = await readBox(file, box);
  read.number(4);
  return { width: read.number(4), height: read.number(4) };
}

/** Bytes to read: more than any sequence header and the units before it. */
const openingLength = 512;

async function sequenceOf(file: FileView, { at }: Item): Promise<Av1Sequence> {
  if (at === null) return refuseDamaged();
  return readSequence(await file.bytes(at, openingLength)) ?? refuseDamaged();
}

/** The file's colors: a profile overrides code points. Null if the file has neither; then those in the stream count. */
async function coloursOf(
  file: FileView,
  { properties }: Item,
): Promise<CodedColours | "profile" | null> {
  let found: CodedColours | null = null;
  for (const box of properties.filter(({ type }) => type === "colr")) {
    const head = await readBox(file, { from: box.from, to: Math.min(box.to, box.from + 8) });
    if (head.text(4) !== "nclx") return "profile";
    found ??= { primaries: head.number(2), transfer: head.number(2) };
  }
  return found;
}

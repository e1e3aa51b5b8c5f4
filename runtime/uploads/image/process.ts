import type { Config, ImageProfile } from "../../config/index.js";
import type { Decoder } from "./decoder/messages.js";
import type { Picture } from "./pixels/encode.js";
import { type Header, readHeader } from "./pixels/header.js";
import { makePictures } from "./pixels/make.js";
import { drawingInTurn, headerInTurn, inTurn } from "./queue.js";
import { refusePicture } from "./rules/refuse.js";
import { exactOutputOf, type Output, outputOf, type Size } from "./rules/size.js";

/**
 * An image profile with its name. Pictures of `avatar` always have exactly the profile's size, cropped and enlarged if
 * needed.
 */
export interface NamedProfile extends ImageProfile {
  readonly name: string;
}

export interface ProcessedImage {
  readonly main: Picture;
  readonly renditions: Readonly<Record<string, Picture>>;
}

export interface Processing {
  /** Memory limit per picture, in megabytes. */
  readonly maxDecodeMb?: number;
  /** Defaults to a decoder in this process. */
  readonly decoder?: Decoder;
  readonly isVector?: boolean;
}

/**
 * Creates the stored picture and its renditions from a file on disk: upright, in sRGB, without metadata, as WebP. The
 * work is queued. It may change the file, which is not needed afterwards.
 *
 * Refuses with `INVALID` a picture that does not decode completely and correctly, has more than 100,000,000 pixels or a
 * side over 65,535, or needs more than `maxDecodeMb` megabytes of memory. Refuses with `UNAVAILABLE` if the queue is
 * full.
 */
export async function processImage(
  path: string,
  profile: NamedProfile,
  processing: Processing = {},
): Promise<ProcessedImage> {
  const made = await makeEach(path, processing, (size) => [
    ["", outputMaker(profile)(size, profile)],
    ...renditionsOf(size, profile),
  ]);
  const [[, main] = failMissing(), ...renditions] = made;
  return { main, renditions: Object.fromEntries(renditions) };
}

/** Creates only the renditions, from a stored picture on disk. Refuses like `processImage`. */
export async function makeRenditions(
  path: string,
  profile: NamedProfile,
  processing: Processing = {},
): Promise<ProcessedImage["renditions"]> {
  const made = await makeEach(path, processing, (size) => renditionsOf(size, profile));
  return Object.fromEntries(made);
}

type Named<T> = readonly (readonly [name: string, T])[];

async function makeEach(
  path: string,
  { maxDecodeMb = defaultDecodeMb, decoder = inThisProcess, isVector = false }: Processing,
  outputsOf: (original: Size) => Named<Output>,
): Promise<Named<Picture>> {
  const header = isVector
    ? await drawingInTurn(() => decoder.readHeader(path, { maxBytes: maxDecodeMb * megabyte }))
    : await headerInTurn(() => decoder.readHeader(path));
  refuseMemory(header, maxDecodeMb);
  const outputs = outputsOf(header.size);
  if (outputs.length === 0) return [];
  const make = () =>
    decoder.makePictures(
      header,
      outputs.map(([, output]) => output),
    );
  const pictures = isVector ? await drawingInTurn(make) : await inTurn(header.decoderBytes, make);
  return pictures.map((picture, at) => [outputs[at]?.[0] ?? failMissing(), picture]);
}

const inThisProcess: Decoder = { readHeader, makePictures };

function failMissing(): never {
  throw new Error("a picture is missing, or was not requested");
}

const defaultDecodeMb = 512;
const megabyte = 1_048_576;

/** Refuses, before decoding, a picture whose decoder needs more memory than the limit. */
function refuseMemory({ decoderBytes }: Header, maxDecodeMb: number): void {
  if (decoderBytes <= maxDecodeMb * megabyte) return;
  const needed = Math.ceil(decoderBytes / megabyte);
  refusePicture(
    `The picture needs about ${needed} MB to be decoded, more than ${maxDecodeMb} MB (uploads.max_decode_mb)`,
  );
}

function outputMaker({ name }: NamedProfile): typeof outputOf {
  return name === "avatar" ? exactOutputOf : outputOf;
}

function renditionsOf(original: Size, profile: NamedProfile): Named<Output> {
  const outputFor = outputMaker(profile);
  return Object.entries(profile.renditions).map(([name, size]) => [
    name,
    outputFor(original, size),
  ]);
}

/** The image profile with that name; all names are checked at startup. */
export function profileOf({ uploads }: Pick<Config, "uploads">, name: string): NamedProfile {
  const profile = Object.hasOwn(uploads.profiles, name) ? uploads.profiles[name] : undefined;
  if (profile === undefined) throw new Error(`There is no image profile ${name}`);
  return { name, ...profile };
}

import { Refusal, refuse } from "../../errors/index.js";
import { isRunByBrowsers } from "../../values/files/browser-types.js";
import { typeOfBinary } from "./binary.js";
import { type Claims, contradictedClaim } from "./claims.js";
import { type Opening, readOpening } from "./opening.js";
import { isSvg, svgType } from "./text/svg.js";
import { checkBeginning, checkedText, textOf, watchedText } from "./text/text.js";

export interface Inspected {
  /** A media type without parameters; `text/plain` for every text. */
  readonly mime: string;
  /** All bytes of the file, readable once; throws a refusal if later bytes contradict the beginning. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /**
   * The type after all bytes are read. It differs from `mime` if any kind is accepted and the file turns out not to be
   * text.
   */
  mimeAtEnd(): string;
}

/**
 * Detects the type of a file from its first bytes, and streams the rest. Refuses (422) an empty file, a type that
 * browsers execute, a file that is neither text nor of a known type, and one that contradicts its extension or
 * Content-Type. Errors of the source are rethrown. The source is closed after a refusal, and if reading `bytes` stops
 * early.
 */
export async function inspect(
  source: AsyncIterable<Uint8Array>,
  claims: Claims,
): Promise<Inspected> {
  return examine(source, async (opening) => inspectedAs(await typeOf(opening, claims), opening));
}

function inspectedAs(mime: string, { all }: Opening): Inspected {
  const bytes = mime === textType ? checkedText(all) : all;
  return { mime, bytes, mimeAtEnd: () => mime };
}

/**
 * Accepts a file of any kind unchanged, whatever the client claims. Files that `inspect` would refuse become
 * `application/octet-stream`. Refuses only an empty file (422).
 */
export async function inspectAny(
  source: AsyncIterable<Uint8Array>,
  claims: Claims,
): Promise<Inspected> {
  return examine(source, async (opening) => {
    const mime = await storableTypeOf(opening, claims);
    if (mime !== textType) return { mime, bytes: opening.all, mimeAtEnd: () => mime };
    const { bytes, isText } = watchedText(opening.all);
    return { mime, bytes, mimeAtEnd: () => (isText() ? mime : unknownType) };
  });
}

/** Accepts a picture, including SVG, which is rendered before it is stored. Refuses like `inspect`. */
export async function inspectPicture(
  source: AsyncIterable<Uint8Array>,
  claims: Claims,
): Promise<Inspected> {
  return examine(source, async (opening) =>
    inspectedAs(await typeOfPicture(opening, claims), opening),
  );
}

/** Reads the opening, and closes the source if the file is refused. */
async function examine(
  source: AsyncIterable<Uint8Array>,
  look: (opening: Opening) => Promise<Inspected>,
): Promise<Inspected> {
  const opening = await readOpening(source);
  try {
    if (opening.bytes.length === 0) refuse("INVALID", { error: "The file is empty" });
    return await look(opening);
  } catch (error) {
    await opening.discard();
    throw error;
  }
}

export const textType = "text/plain";
export const unknownType = "application/octet-stream";

/** The type of a file whose opening `inspect` would accept; otherwise `application/octet-stream`. */
export async function storableTypeOf(opening: Look, claims: Claims): Promise<string> {
  try {
    return await typeOf(opening, claims);
  } catch (error) {
    if (error instanceof Refusal && error.code === "INVALID") return unknownType;
    throw error;
  }
}

/** The examined part of an opening. */
type Look = Pick<Opening, "bytes" | "isWhole">;

/** The type of the bytes; refuses if the client's claims contradict it. */
export async function typeOf(opening: Look, claims: Claims): Promise<string> {
  const mime = await detectedType(opening);
  refuseContradiction(mime, claims);
  return mime;
}

/** Like `typeOf`, for a picture, including SVG. */
export async function typeOfPicture(opening: Look, claims: Claims): Promise<string> {
  if (!isSvg(textOf(opening.bytes, opening) ?? "")) return typeOf(opening, claims);
  refuseContradiction(svgType, claims);
  return svgType;
}

function refuseContradiction(mime: string, claims: Claims): void {
  const claim = contradictedClaim(mime, claims);
  if (claim !== null) refuse("INVALID", { error: `The file is ${mime}, not ${sentAs[claim]}` });
}

async function detectedType({ bytes, isWhole }: Look): Promise<string> {
  const text = textOf(bytes, { isWhole });
  const mime = text === null ? await typeOfBinary(bytes) : typeOfText(text);
  if (mime === null) {
    refuse("INVALID", { error: "The file is neither text nor of a known type" });
  }
  if (text !== null && mime === textType) checkBeginning(text);
  if (isRunByBrowsers(mime)) {
    refuse("INVALID", { error: `Files of the type ${mime} are not accepted: browsers run them` });
  }
  return mime;
}

const sentAs = { name: "what its name says", contentType: "what its Content-Type says" } as const;

/** The type of a text: three formats begin as text but have their own types. */
function typeOfText(text: string): string {
  const format = formats.find(({ begins }) => begins.test(text));
  return format === undefined ? textType : format.type;
}

const formats = [
  { begins: /^\uFEFF?%PDF-\d/, type: "application/pdf" },
  { begins: /^\uFEFF?\{\\rtf/, type: "application/rtf" },
  { begins: /^\uFEFF?%!PS/, type: "application/postscript" },
] as const;

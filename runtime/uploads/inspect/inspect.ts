import { Refusal, refuse } from "../../errors/index.js";
import { isRunByBrowsers } from "../../values/files/browser-types.js";
import { typeOfBinary } from "./binary.js";
import { type Claims, contradictedClaim } from "./claims.js";
import { type Opening, readOpening } from "./opening.js";
import { isSvg, svgType } from "./text/svg.js";
import { checkBeginning, checkedText, textOf, watchedText } from "./text/text.js";

/** What a file was found to be. */
export interface Inspected {
  /** A bare media type; `text/plain` for every text. */
  readonly mime: string;
  /** All bytes of the file, to be read once; throws a refusal where they do not continue as they began. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The type once all bytes are read, which is another one where any kind is taken and a text turns out to be none. */
  mimeAtEnd(): string;
}

/**
 * Detects the type of a file from its first bytes, and passes the others on without keeping them. Refuses (422)
 * an empty file, a type that browsers run, a file that is neither text nor of a known type, and one that
 * contradicts its extension or its Content-Type. Errors of the source are rethrown. The source is ended with a
 * refusal, and when reading `bytes` ends early.
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
 * Takes a file of every kind as it is, whatever its sender says. What `inspect` refuses is `application/octet-stream`.
 * Refuses (422) an empty file alone.
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

/** Takes a picture, and SVG too, which is not stored but rendered. Refuses like `inspect`. */
export async function inspectPicture(
  source: AsyncIterable<Uint8Array>,
  claims: Claims,
): Promise<Inspected> {
  return examine(source, async (opening) =>
    inspectedAs(await typeOfPicture(opening, claims), opening),
  );
}

/** Reads the opening, and ends the source where the file is refused. */
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

/** The type of a file that `inspect` would take by its opening; else the type of anything. */
export async function storableTypeOf(opening: Look, claims: Claims): Promise<string> {
  try {
    return await typeOf(opening, claims);
  } catch (error) {
    if (error instanceof Refusal && error.code === "INVALID") return unknownType;
    throw error;
  }
}

/** What is looked at of an opening. */
type Look = Pick<Opening, "bytes" | "isWhole">;

/** The type of the bytes, which the sender does not contradict. */
export async function typeOf(opening: Look, claims: Claims): Promise<string> {
  const mime = await detectedType(opening);
  refuseContradiction(mime, claims);
  return mime;
}

/** The same of a picture, which SVG is as well. */
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
    refuse("INVALID", { error: `Files of the type ${mime} are not stored: browsers run them` });
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

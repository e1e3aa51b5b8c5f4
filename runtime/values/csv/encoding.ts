import type { Encoding } from "./options.js";

/** The names of encodings in messages. */
export const encodingNames: Readonly<Record<Encoding, string>> = {
  "utf-8": "UTF-8",
  "windows-1252": "Windows-1252",
  "utf-16": "UTF-16",
};

/** The length of a UTF-8 byte order mark. */
export function markLength(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** Whether a file is UTF-16, judging by its byte order mark or the zero byte of its first letter. */
export function isUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  return bytes.length >= 2 && (first === 0) !== (second === 0);
}

/** The encoding of a file: UTF-8 if it has a UTF-8 byte order mark, otherwise the encoding that the user named. */
export function encodingOf(start: Uint8Array, named: Encoding): Encoding {
  return markLength(start) > 0 ? "utf-8" : named;
}

/** Converts a file in pieces; `isLast` marks the last one. */
export type Transcoder = (bytes: Uint8Array, isLast: boolean) => Uint8Array;

/**
 * Returns a converter to UTF-8 for a file that begins with these bytes. It replaces bytes that are undefined in the
 * encoding by 0xff.
 */
export function transcoder(encoding: Exclude<Encoding, "utf-8">, start: Uint8Array): Transcoder {
  const textOf = encoding === "utf-16" ? utf16(start) : windows1252;
  return (bytes, isLast) => utf8Of(textOf(bytes, isLast));
}

type ToText = (bytes: Uint8Array, isLast: boolean) => string;

function utf16(start: Uint8Array): ToText {
  const isBigEndian = start[0] === 0xfe || (start[0] === 0 && start[1] !== 0);
  const decoder = new TextDecoder(isBigEndian ? "utf-16be" : "utf-16le");
  return (bytes, isLast) => decoder.decode(bytes, { stream: !isLast });
}

/** Replaces bytes that cannot be decoded. */
const replacement = "\ufffd";

/** The characters of the bytes from 0x80; a space stands for an undefined byte. */
const upper = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

function windows1252(bytes: Uint8Array): string {
  // Some versions of Node decode it as ISO 8859-1 (nodejs/node#56542); the table corrects that.
  return new TextDecoder("windows-1252").decode(bytes).replace(/[\x80-\x9f]/g, (control) => {
    const character = upper[control.charCodeAt(0) - 0x80] ?? " ";
    return character === " " ? replacement : character;
  });
}

const encoder = new TextEncoder();

function utf8Of(text: string): Uint8Array {
  const [first = "", ...others] = text.split(replacement);
  if (others.length === 0) return encoder.encode(first);
  return joined([encoder.encode(first), ...others.flatMap((one) => [noUtf8, encoder.encode(one)])]);
}

const noUtf8 = Uint8Array.of(0xff);

export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

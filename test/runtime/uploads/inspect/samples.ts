import { Buffer } from "node:buffer";
import { crc32, deflateRawSync } from "node:zlib";

/** A picture of one pixel. */
export const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
/** A picture of one pixel. */
export const gif = Buffer.from(
  "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
  "base64",
);
/** The head of a picture, as far as its tables. */
export const jpeg = Buffer.concat([
  bytes("ffd8ffe000104a46494600010100000100010000ffdb004300"),
  Buffer.alloc(64, 1),
  bytes("ffd9"),
]);
export const bmp = Buffer.concat([
  Buffer.from("BM"),
  Buffer.alloc(12),
  bytes("28000000"),
  Buffer.alloc(60),
]);
export const webp = Buffer.concat([
  Buffer.from("RIFF"),
  bytes("1a000000"),
  Buffer.from("WEBPVP8L"),
  Buffer.alloc(18),
]);
export const pdf = Buffer.concat([
  Buffer.from("%PDF-1.7\n%"),
  bytes("e2e3cfd30a"),
  Buffer.from("1 0 obj\n"),
]);
export const gzip = bytes("1f8b08000000000000034bcc4e05000c4e8b7c");
export const wav = Buffer.concat([
  Buffer.from("RIFF"),
  bytes("24000000"),
  Buffer.from("WAVEfmt "),
  Buffer.alloc(24),
]);
export const exe = Buffer.concat([Buffer.from("MZ"), bytes("9000030000000400")]);
export const compound = Buffer.concat([bytes("d0cf11e0a1b11ae1"), Buffer.alloc(504)]);

/** A frame of MPEG audio, behind a tag with pictures of that many bytes. */
export function mp3(pictures = 0): Buffer {
  const frame = Buffer.concat([bytes("fffb9064"), Buffer.alloc(413)]);
  if (pictures === 0) return frame;
  const size = [21, 14, 7, 0].map((shift) => (pictures >> shift) & 0x7f);
  return Buffer.concat([
    Buffer.from("ID3\x03\0\0", "latin1"),
    Buffer.from(size),
    Buffer.alloc(pictures, 0x80),
    frame,
  ]);
}

/** The first boxes of a film or picture of that brand. */
export function isoMedia(brand: string): Buffer {
  return Buffer.concat([
    bytes("00000018"),
    Buffer.from(`ftyp${brand}\0\0\0\0isommp42`),
    Buffer.alloc(16),
  ]);
}

/** A page of an Ogg stream that holds that codec. */
export function ogg(codec: string): Buffer {
  return Buffer.concat([
    Buffer.from("OggS"),
    Buffer.alloc(24),
    Buffer.from(codec),
    Buffer.alloc(32),
  ]);
}

/** A TIFF whose directory is at its end, as most programs write them. */
export function tiff(pixels: number): Buffer {
  const head = Buffer.from("II*\0\0\0\0\0", "latin1");
  head.writeUInt32LE(8 + pixels, 4);
  return Buffer.concat([head, Buffer.alloc(pixels, 0x7f), bytes("0000")]);
}

/** An archive of text files, each a name and its text. */
export function zip(...entries: readonly (readonly [name: string, text: string])[]): Buffer {
  return Buffer.concat([
    ...entries.map(([name, text]) => zipEntry(name, text)),
    Buffer.from("PK\x05\x06", "latin1"),
    Buffer.alloc(18),
  ]);
}

function zipEntry(name: string, text: string): Buffer {
  const packed = deflateRawSync(text);
  const header = Buffer.alloc(30);
  header.write("PK\x03\x04", "latin1");
  header.writeUInt16LE(8, 8);
  header.writeUInt32LE(crc32(text), 14);
  header.writeUInt32LE(packed.length, 18);
  header.writeUInt32LE(Buffer.byteLength(text), 22);
  header.writeUInt16LE(Buffer.byteLength(name), 26);
  return Buffer.concat([header, Buffer.from(name), packed]);
}

/** A document of Office, its main part of that type. */
export function office(main: string, folder: "word" | "xl"): Buffer {
  const types = `<Types><Override PartName="/x" ContentType="${main}.main+xml"/></Types>`;
  return zip(["[Content_Types].xml", types], [`${folder}/document.xml`, "<document/>"]);
}

export const wordDocument =
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
export const docx = office(wordDocument, "word");
export const docm = office("application/vnd.ms-word.document.macroEnabled", "word");
/** Its list of parts comes last, behind what is looked at. */
export const lateDocx = Buffer.concat([
  zip(["word/numbering.xml", "<numbering/>"]).subarray(0, -22),
  Buffer.alloc(70_000, 0x80),
  docx,
]);
export const odt = zip(["mimetype", "application/vnd.oasis.opendocument.text"]);
export const jar = zip(["META-INF/MANIFEST.MF", "Manifest-Version: 1.0"]);

export function bytes(hex: string): Buffer {
  return Buffer.from(hex, "hex");
}

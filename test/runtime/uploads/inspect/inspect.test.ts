import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { inspect } from "../../../../runtime/uploads/inspect/inspect.js";
import { openingLength, readOpening } from "../../../../runtime/uploads/inspect/opening.js";
import { inPieces, refused, runByBrowsers, verdictOn } from "./read.js";
import * as sample from "./samples.js";

const text = "text/plain";

test.each([
  ["a PNG", sample.png, "image/png"],
  ["a GIF", sample.gif, "image/gif"],
  ["a JPEG", sample.jpeg, "image/jpeg"],
  ["a BMP", sample.bmp, "image/bmp"],
  ["a WebP", sample.webp, "image/webp"],
  ["an AVIF", sample.isoMedia("avif"), "image/avif"],
  ["a HEIC", sample.isoMedia("heic"), "image/heic"],
  ["a TIFF with its directory at the end", sample.tiff(100), "image/tiff"],
  ["a TIFF with its directory far from the start", sample.tiff(200_000), "image/tiff"],
  ["a PDF", sample.pdf, "application/pdf"],
  ["a PDF without a byte over 127", "%PDF-1.4\n1 0 obj\n", "application/pdf"],
  ["an RTF", "{\\rtf1 hello}", "application/rtf"],
  ["a PostScript", "%!PS-Adobe-3.0\nshowpage\n", "application/postscript"],
  ["an MP3", sample.mp3(), "audio/mpeg"],
  ["an MP3 with pictures before the sound", sample.mp3(300_000), "audio/mpeg"],
  ["an MP4", sample.isoMedia("isom"), "video/mp4"],
  ["an M4A", sample.isoMedia("M4A "), "audio/mp4"],
  ["a QuickTime film", sample.isoMedia("qt  "), "video/quicktime"],
  ["an Ogg with Opus", sample.ogg("OpusHead"), "audio/ogg"],
  ["a WAV", sample.wav, "audio/wav"],
  ["a ZIP", sample.zip(["a.txt", "a"]), "application/zip"],
  ["a ZIP that is empty", sample.zip(), "application/zip"],
  ["a DOCX", sample.docx, sample.wordDocument],
  ["a DOCX whose parts come late", sample.lateDocx, "application/zip"],
  ["an ODT", sample.odt, "application/vnd.oasis.opendocument.text"],
  ["a JAR", sample.jar, "application/java-archive"],
  ["a ZIP cut off in its first entry", sample.docx.subarray(0, 60), "application/zip"],
  ["a gzip", sample.gzip, "application/gzip"],
  ["a gzip that unpacks to nothing", sample.gzip.subarray(0, 12), "application/gzip"],
  ["an old Office file", sample.compound, "application/x-cfb"],
  ["a program for Windows", sample.exe, "application/x-msdownload"],
])("recognises %s by its bytes", async (_, file, type) => {
  expect(await verdictOn(file)).toBe(type);
});

test.each([
  ["a word", "hello"],
  ["tabs and both line ends", "a\tb\r\nc\n"],
  ["a byte order mark", "\uFEFFhello"],
  ["other scripts", "Grüße, 你好, 🙂 \u200F"],
  ["a heart", "<3"],
  ["an arrow", "<- back"],
  ["an address", "<https://example.com>"],
  ["a mail address", "<someone@example.com>"],
  ["a comment and a word", "<!-- for the linter -->\n# Title\n"],
  ["tags after a word", "see <b>this</b> and <script>alert(1)</script>"],
  ["shell", "#!/bin/sh\nexit 0\n"],
  ["UTF-7, which is served as UTF-8", "+ADw-script+AD4-alert(1)+ADw-/script+AD4-"],
  ["the name of a car", "BMW builds cars"],
  ["a present", "GIFTS for everyone"],
  ["an ordinary sentence that is the head of a film", "The free encyclopaedia"],
  ["an address book", "BEGIN:VCARD\nVERSION:4.0\nEND:VCARD\n"],
  ["a sentence that could be a header", "Note: see below\n\nMIME-Version: 1.0"],
  ["a comment of 200 000 characters", `<!-- ${"x".repeat(200_000)} -->ok`],
  ["200 000 spaces", " ".repeat(200_000)],
])("recognises as text: %s", async (_, file) => {
  expect(await verdictOn(file)).toBe(text);
});

test.each([
  ["HTML", "<html>"],
  ["a doctype", "<!DOCTYPE html>"],
  ["any capitals", "<ScRiPt>alert(1)</sCrIpT>"],
  ["a closing tag", "</p>"],
  ["a tag before a slash", "<svg/onload=alert(1)>"],
  ["a tag on two lines", "<a\nhref=x>"],
  ["SVG", '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ["XML", '<?xml version="1.0"?><a/>'],
  ["a feed", '<rss version="2.0">'],
  ["XML with a prefix", "<x:html xmlns:x='http://www.w3.org/1999/xhtml'>"],
  ["XML with a name in other letters", "<été>"],
  ["HTA", "<HTA:APPLICATION ID=a>"],
  ["PHP", "<?php echo 1;"],
  ["a byte order mark and HTML", "\uFEFF<html>"],
  ["whitespace and HTML", " \t\r\n<html>"],
  ["whitespace of other scripts and HTML", "\u3000\u00A0\u200B<html>"],
  ["comments and HTML", "<!-- a --> <!---->\n<html>"],
  ["a comment that closes at once and HTML", "<!--><html>-->"],
  ["a comment that HTML closes differently", "<!-- a --!>word--><svg>"],
  ["an open comment", "<!-- <p>"],
  ["a mebibyte of spaces and HTML", `${" ".repeat(1_048_576)}<script>`],
  ["a mebibyte of comment and SVG", `<!--${"-".repeat(1_048_576)}--><svg>`],
  ["a mebibyte of open comment", `<!--${" ".repeat(1_048_576)}`],
])("refuses a beginning like markup: %s", async (_, file) => {
  expect(await verdictOn(file, { name: "a.txt" })).toBe(refused.markup);
});

test.each([
  ["MHTML", "From: <Saved by Blink>\r\nSubject: x\r\nMIME-Version: 1.0\r\n\r\n<html>"],
  ["the type of MHTML on a separate line", "Content-Type:\r\n multipart/related;\r\n"],
  ["a page with a mail's header", "X-A: b\nContent-Type: text/html\n\n<script>"],
])("refuses a beginning like a saved page: %s", async (_, file) => {
  expect(await verdictOn(file)).toBe(refused.message);
});

test.each([
  ["application/wasm", sample.bytes("0061736d01000000")],
  ["application/x-shockwave-flash", Buffer.from("FWS\x09\0\0\0\0", "latin1")],
  ["application/x-google-chrome-extension", Buffer.from("Cr24\x03\0\0\0", "latin1")],
  ["application/x-xpinstall", sample.zip(["META-INF/mozilla.rsa", "x"])],
  ["application/vnd.ms-htmlhelp", Buffer.from("ITSF\x03\0\0\0", "latin1")],
])("refuses %s", async (type, file) => {
  expect(await verdictOn(file)).toBe(runByBrowsers(type));
});

test.each([
  ["bytes of no kind", sample.bytes("0102030405060708")],
  ["a single byte", sample.bytes("00")],
  ["text in Latin-1", Buffer.from("Gr\xFC\xDFe", "latin1")],
  ["an address book in Latin-1", Buffer.from("BEGIN:VCARD\nN:Gr\xFC\xDFe\n", "latin1")],
  ["text with NUL", "a\0b"],
  ["text with a form feed", "a\fb"],
  ["text with an escape", "a\u001B[31mb"],
  ["text with a control character of Latin-1", "a\u0085b"],
  ["text that ends within a character", Buffer.from("hällo").subarray(0, 2)],
  ["UTF-16 with its mark", Buffer.from("\uFEFF中文字符", "utf16le")],
  ["UTF-16 without it", Buffer.from("hello", "utf16le")],
  ["UTF-16, the other way round", Buffer.from("\uFEFF中文", "utf16le").swap16()],
  ["UTF-32", sample.bytes("fffe00006800000069000000")],
  ["UTF-32, the other way round", sample.bytes("0000feff0000006800000069")],
  ["a word that is not yet a GIF", "GIFT\0"],
  ["two letters that are not yet a BMP", "BM\0".padEnd(40, "\0")],
  ["a sync that is not yet a frame", sample.bytes("fffbf000")],
])("refuses bytes that are neither text nor known: %s", async (_, file) => {
  expect(await verdictOn(file)).toBe(refused.unknown);
});

test("refuses an empty file", async () => {
  expect(await verdictOn("")).toBe(refused.empty);
});

test.each([
  ["NUL", `${"x".repeat(70_000)}\0`],
  ["a truncated character at the end", Buffer.from(`${"x".repeat(70_000)}ä`).subarray(0, -1)],
  [
    "a byte that is not a character",
    Buffer.concat([Buffer.alloc(70_000, "x"), sample.bytes("ff")]),
  ],
])("refuses text that continues with %s", async (_, file) => {
  expect(await verdictOn(file)).toBe(refused.broken);
});

test("reads only the opening of the source before it answers, and ends it with a refusal", async () => {
  let taken = 0;
  let isEnded = false;
  async function* source() {
    try {
      for await (const piece of inPieces(Buffer.alloc(1_000_000, "x"), 1000)) {
        taken += piece.length;
        yield piece;
      }
    } finally {
      isEnded = true;
    }
  }
  await inspect(source(), { name: "a.txt", contentType: undefined });
  expect(taken).toBeGreaterThanOrEqual(openingLength);
  expect(taken).toBeLessThanOrEqual(openingLength + 1000);
  expect(isEnded).toBe(false);

  await expect(inspect(source(), { name: "a.png", contentType: undefined })).rejects.toThrow();
  expect(isEnded).toBe(true);
});

test("an opening that arrives byte by byte takes no more memory than its length", async () => {
  const file = Buffer.alloc(openingLength + 10, "x");
  for (const pieces of [1, 7, 1000, file.length]) {
    const { bytes, all } = await readOpening(inPieces(file, pieces));
    expect(bytes.length).toBe(openingLength);
    expect(bytes.buffer.byteLength).toBeLessThanOrEqual(openingLength + pieces);
    const [first = Buffer.alloc(0), ...rest] = await allOf(all);
    expect(first.length).toBeGreaterThanOrEqual(openingLength);
    expect(Buffer.concat([first, ...rest])).toEqual(file);
  }
});

async function allOf(source: AsyncIterable<Uint8Array>): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of source) pieces.push(Buffer.from(piece));
  return pieces;
}

test("ends the source if the bytes are not read to their end", async () => {
  let isEnded = false;
  async function* source() {
    try {
      for (;;) yield Buffer.alloc(10_000, "x");
    } finally {
      isEnded = true;
    }
  }
  const { bytes } = await inspect(source(), { name: "a.txt", contentType: undefined });
  for await (const piece of bytes) if (piece.length > 0) break;
  expect(isEnded).toBe(true);
});

test("rethrows errors of the source, at once and later", async () => {
  async function* source(pieces: number) {
    for (let piece = 0; piece < pieces; piece++) yield Buffer.alloc(10_000, "x");
    throw new Error("gone");
  }
  await expect(verdictOnSource(source(0))).rejects.toThrow("gone");
  await expect(verdictOnSource(source(100))).rejects.toThrow("gone");
});

async function verdictOnSource(source: AsyncIterable<Uint8Array>): Promise<void> {
  const { bytes } = await inspect(source, { name: "a", contentType: undefined });
  for await (const piece of bytes) expect(piece.length % 10_000).toBe(0);
}

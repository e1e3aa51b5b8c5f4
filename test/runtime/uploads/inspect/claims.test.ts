import type { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { notAsDeclared, notAsNamed, verdictOn } from "./read.js";
import * as sample from "./samples.js";

const csv = "a,b\n1,2\n";
const zip = sample.zip(["a.txt", "a"]);

const agreeing: readonly (readonly [name: string, file: string | Buffer])[] = [
  ["a.png", sample.png],
  ["photo.PNG.", sample.png],
  ["photo", sample.png],
  [".png", sample.png],
  ["a.png. . ", sample.png],
  ["photo.p\u200Eng", sample.png],
  ["photo.png/..", sample.png],
  ["a.txt\\photo", sample.png],
  [".env", csv],
  ["id_ed25519.pub", "ssh-ed25519 AAAA"],
  ["photo.2024-05", sample.png],
  ["photo.constructor", sample.png],
  ["photo.__proto__", sample.png],
  ["a.pdf/photo", sample.png],
  ["a.jpg", sample.jpeg],
  ["a.jpeg", sample.jpeg],
  ["a.jfif", sample.jpeg],
  ["a.tif", sample.tiff(9)],
  ["a.tiff", sample.tiff(9)],
  ["a.dng", sample.tiff(100_000)],
  ["a.heif", sample.isoMedia("heic")],
  ["a.heic", sample.isoMedia("mif1")],
  ["a.avif", sample.isoMedia("mif1")],
  ["a.mp4", sample.isoMedia("qt  ")],
  ["a.mov", sample.isoMedia("isom")],
  ["a.m4a", sample.isoMedia("M4A ")],
  ["a.m4a", sample.isoMedia("isom")],
  ["a.mp3", sample.mp3()],
  ["a.ogg", sample.ogg("OpusHead")],
  ["a.opus", sample.ogg("OpusHead")],
  ["a.oga", sample.ogg("\x01vorbis")],
  ["a.ogv", sample.ogg("\x80theora")],
  ["a.docx", sample.docx],
  ["a.zip", sample.docx],
  ["a.docx", sample.lateDocx],
  ["a.apk", zip],
  ["a.kmz", zip],
  ["a.whl", zip],
  ["a.doc", sample.compound],
  ["a.xls", sample.compound],
  ["a.msi", sample.compound],
  ["locked.docx", sample.compound],
  ["a.tar.gz", sample.gzip],
  ["a.tgz", sample.gzip],
  ["a.pfa", "%!PS-AdobeFont-1.0"],
  ["a.exe", sample.exe],
  ...names(
    "txt csv tsv json md log yaml yml ini sql ics vcf srt vtt css ts tsx py rs sh bat conf toml",
    "pem key dot ps m3u m3u8 pls dxf obj stl geojson ipynb org lock properties",
  ).map((name): [string, string] => [name, csv]),
];

const unknown = names("xyz abc pic 123 in ext foo def list man t iso torrent gv bak old 1 final");

test.each(unknown)(
  "%s may be anything, because its registered type is rarely meant",
  async (name) => {
    for (const file of [sample.jpeg, sample.pdf, zip, csv]) {
      expect(await verdictOn(file, { name })).toMatch(/^[a-z]+\/[a-z0-9.+-]+$/);
    }
  },
);

test.each(agreeing)("%s agrees with its bytes", async (name, file) => {
  expect(await verdictOn(file, { name })).toMatch(/^[a-z]+\/[a-z0-9.+-]+$/);
});

const disagreeing: readonly (readonly [name: string, file: string | Buffer, type: string])[] = [
  ["a.pdf", sample.png, "image/png"],
  ["a.svg", sample.png, "image/png"],
  ["a.jpg", sample.png, "image/png"],
  ["a.PDF", sample.png, "image/png"],
  ["a.xlsx", sample.docx, sample.wordDocument],
  ["a.doc", sample.docx, sample.wordDocument],
  ["a.json", zip, "application/zip"],
  ["a.txt", sample.compound, "application/x-cfb"],
  ["a.crx", zip, "application/zip"],
  ["a.jpg", sample.exe, "application/x-msdownload"],
  ...names(
    "pdf docx doc xls xlsx odt epub mp3 mp4 wav mov txt log csv tsv json md yaml sql sh css ics vcf",
    "html htm svg xml js mjs wasm swf mht zip gz 7z rar tar jar exe dll jpg gif webp tiff psd ico ttf",
  ).map((name): [string, Buffer, string] => [name, sample.png, "image/png"]),
  ...[
    "a.hta\u200E",
    "a.html\u202C",
    "a.h\u2066tml",
    "a.vbs.",
    "a.vbs ",
    "a.js. .",
    "a.js::$DATA",
  ].map((name): [string, string, string] => [name, csv, "text/plain"]),
  [".hta", csv, "text/plain"],
  ["a/.hta", csv, "text/plain"],
  ...names(
    "html htm xhtml shtml svg svgz xml xsl rss atom kml js mjs cjs wasm swf mht mhtml eml hta htc vbs",
    "png jpg gif pdf zip docx doc mp3 mp4 exe gz rar woff",
  ).map((name): [string, string, string] => [name, csv, "text/plain"]),
];

test.each(disagreeing)("%s disagrees with its bytes", async (name, file, type) => {
  expect(await verdictOn(file, { name })).toBe(notAsNamed(type));
});

test.each([
  ["image/png", sample.png],
  ["IMAGE/PNG; q=1", sample.png],
  ["image/x-png", sample.png],
  ["", sample.png],
  ["application/octet-stream", sample.png],
  ["binary/octet-stream", sample.png],
  ["image/jpg", sample.jpeg],
  ["image/pjpeg", sample.jpeg],
  ["audio/mp3", sample.mp3()],
  ["audio/wave", sample.wav],
  ["audio/x-wav", sample.wav],
  ["audio/vnd.wave", sample.wav],
  ["audio/x-m4a", sample.isoMedia("M4A ")],
  ["video/mp4", sample.isoMedia("qt  ")],
  ["application/x-zip-compressed", zip],
  ["application/zip", sample.docx],
  [sample.wordDocument, sample.lateDocx],
  ["application/vnd.some-house.format+zip", zip],
  ["application/x-gzip", sample.gzip],
  ["application/msword", sample.compound],
  ["text/plain;charset=UTF-8", csv],
  ["text/csv", csv],
  ["text/x-anything", csv],
  ["application/json", csv],
  ["application/vnd.ms-excel", csv],
  ["application/x-yaml", csv],
  ["application/problem+json", csv],
])("the Content-Type %j agrees with its bytes", async (contentType, file) => {
  expect(await verdictOn(file, { contentType })).toMatch(/^[a-z]+\/[a-z0-9.+-]+$/);
});

test.each([
  ["application/pdf", sample.png, "image/png"],
  ["text/html", sample.png, "image/png"],
  ["application/x-unheard-of", sample.png, "image/png"],
  ["png", sample.png, "image/png"],
  ["image/*", sample.png, "image/png"],
  ["multipart/form-data; boundary=x", csv, "text/plain"],
  ["text/html", csv, "text/plain"],
  ["Text/HTML; charset=utf-8", csv, "text/plain"],
  ["application/xhtml+xml", csv, "text/plain"],
  ["image/svg+xml", csv, "text/plain"],
  ["text/javascript", csv, "text/plain"],
  ["application/x-javascript", csv, "text/plain"],
  ["message/rfc822", csv, "text/plain"],
  ["image/png", csv, "text/plain"],
  ["text", csv, "text/plain"],
])("the Content-Type %j disagrees with its bytes", async (contentType, file, type) => {
  expect(await verdictOn(file, { contentType })).toBe(notAsDeclared(type));
});

test("refuses a right name with a wrong Content-Type, and a wrong name with a right one", async () => {
  const declared = { name: "a.png", contentType: "image/gif" };
  expect(await verdictOn(sample.png, declared)).toBe(notAsDeclared("image/png"));
  const named = { name: "a.gif", contentType: "image/png" };
  expect(await verdictOn(sample.png, named)).toBe(notAsNamed("image/png"));
});

function names(...extensions: readonly string[]): readonly string[] {
  return extensions.flatMap((list) => list.split(" ")).map((extension) => `a.${extension}`);
}

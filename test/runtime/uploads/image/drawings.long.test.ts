import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Refusal } from "../../../../runtime/errors/index.js";
import { newLog } from "../../../../runtime/own-code/index.js";
import {
  type DecoderProcess,
  openDecoder,
} from "../../../../runtime/uploads/image/decoder/open.js";
import { type Processing, processImage } from "../../../../runtime/uploads/image/process.js";
import { pictureFolder, profileOf } from "../../../support/pictures/pictures.js";

const profile = profileOf({ width: 200, height: 200, fit: "contain" });
const log = newLog({ logLevel: "silent" });
const damaged = "The picture is damaged, or of an unsupported kind";
const oversize = "The picture has more than 100,000,000 pixels";
let folder: Awaited<ReturnType<typeof pictureFolder>>;
let decoder: DecoderProcess | undefined;

beforeAll(async () => {
  folder = await pictureFolder();
});
afterEach(() => decoder?.close());
afterAll(() => folder.remove());

const size = 'width="50" height="50"';

function svg(content: string, attributes = size, before = ""): string {
  return `${before}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`;
}

async function draw(text: string | Buffer, processing: Processing = {}) {
  const path = await folder.write(Buffer.from(text));
  return (await processImage(path, profile, { ...processing, isVector: true })).main;
}

/** The colour in the middle, with its opacity. */
async function middleOf(text: string | Buffer): Promise<readonly number[]> {
  const { bytes, width, height } = await draw(text);
  const { data } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(height / 2) * width + Math.floor(width / 2)) * 4;
  return [...data.subarray(at, at + 4)];
}

async function refusalOf(text: string, processing: Processing = {}): Promise<string> {
  const outcome = await draw(text, processing).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(Refusal);
  return outcome instanceof Refusal ? outcome.message : "";
}

const lime = '<rect width="50" height="50" fill="#00ff00"/>';
const drawn = [0, 255, 0, 255];
const nothing = 0;

test.each([
  [
    "as programs write it",
    svg(lime, size, '<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by hand -->\n'),
  ],
  ["after a byte order mark", `\uFEFF${svg(lime)}`],
  ["after a long comment", svg(lime, size, `<!--${"x".repeat(5000)}-->`)],
  [
    "with a document type and entities",
    svg(lime.replace("50", "&w;"), size, '<!DOCTYPE svg [<!ENTITY w "50">]>'),
  ],
  [
    "with a prefix",
    `<a:svg xmlns:a="http://www.w3.org/2000/svg" ${size}><a:rect width="50" height="50" fill="#00ff00"/></a:svg>`,
  ],
])("SVG %s is drawn", async (_, text) => {
  const [red, green, blue, opacity] = await middleOf(text);
  expect(
    [red, green, blue, opacity].map((value, at) => Math.abs((value ?? 0) - (drawn[at] ?? 0)) < 8),
  ).toEqual(Array(4).fill(true));
});

test.each([
  ["its own", 'width="120" height="60"', [120, 60]],
  ["of its view box", 'viewBox="0 0 120 60"', [120, 60]],
  ["never more than the profile's", 'width="4000" height="2000"', [200, 100]],
])("its size is %s", async (_, attributes, expected) => {
  const { width, height } = await draw(svg(lime, attributes));
  expect([width, height]).toEqual(expected);
});

test("unpainted parts are transparent", async () => {
  expect((await middleOf(svg("")))[3]).toBe(0);
});

test("references to files, networks and other documents are not followed, and scripts do not run", async () => {
  const red = await sharp({ create: { width: 50, height: 50, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const picture = await folder.write(red);
  const style = join(picture, "..", "style.css");
  await writeFile(style, "rect { fill: red; opacity: 1 }");
  const name = picture.split("/").at(-1);
  const embedded = `data:image/png;base64,${red.toString("base64")}`;
  expect((await middleOf(svg(`<image ${size} href="${embedded}"/>`)))[0]).toBeGreaterThan(240);
  const inner = Buffer.from(svg(`<image ${size} href="file://${picture}"/>`)).toString("base64");
  const hidden = `<rect ${size} opacity="0"/>`;
  for (const content of [
    `<image ${size} href="file://${picture}"/>`,
    `<image ${size} xlink:href="${picture}"/>`,
    `<image ${size} href="${name}"/>`,
    `<image ${size} href="./${name}"/>`,
    `<image ${size} href="http://127.0.0.1:9/a.png"/>`,
    `<image ${size} href="data:image/svg+xml;base64,${inner}"/>`,
    `<use href="file://${picture}#a"/>`,
    `<style>@import url("file://${style}");</style>${hidden}`,
    `<style>@import "style.css";</style>${hidden}`,
    `<filter id="f"><feImage href="file://${picture}"/></filter><rect ${size} filter="url(#f)"/>`,
    `<foreignObject ${size}><body xmlns="http://www.w3.org/1999/xhtml" style="background: red">a</body></foreignObject>`,
    `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file://${picture}" parse="text"/>`,
    `${hidden}<script>document.querySelector("rect").setAttribute("opacity", 1)</script>`,
  ]) {
    expect((await middleOf(svg(content)))[3], content).toBe(nothing);
  }
  const linked = `<?xml version="1.0"?><?xml-stylesheet href="file://${style}"?>`;
  expect((await middleOf(svg(hidden, size, linked)))[3]).toBe(nothing);
});

const tenfold = [..."bcdefghij"].map(
  (name, at) => `<!ENTITY ${name} "${`&${"abcdefghi"[at]};`.repeat(10)}">`,
);

test.each([
  [
    "entities of files",
    svg("<text>&x;</text>", size, '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/hostname">]>'),
    damaged,
  ],
  [
    "entities that multiply",
    svg("<text>&j;</text>", size, `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">${tenfold.join("")}]>`),
    damaged,
  ],
  ["more pixels than a picture may have", svg(lime, 'width="20000" height="20000"'), oversize],
  ["a side of a billion pixels", svg(lime, 'width="1000000000" height="1000000000"'), oversize],
  ["one such side", svg(lime, 'width="10" height="1e8"'), oversize],
  ["a view box that is larger still", svg(lime, 'viewBox="0 0 1e12 1e12"'), damaged],
  ["no size", svg("", 'width="0" height="0"'), damaged],
  ["no end", svg(lime).slice(0, -6), damaged],
])("SVG with %s is refused", async (_, text, message) => {
  expect(await refusalOf(text)).toBe(message);
});

test("a line of one pixel is a picture, too", async () => {
  expect(await draw(svg(lime, 'width="30" height="1"'))).toMatchObject({ width: 30, height: 1 });
});

test("SVG that takes too much memory is refused, and the next is drawn", async () => {
  decoder = openDecoder(log);
  const large = await sharp({
    create: { width: 8000, height: 8000, channels: 3, background: "red" },
  })
    .png()
    .toBuffer();
  const images = Array.from({ length: 4 }, (_, at) => {
    const bytes = large.toString("base64");
    return `<image x="${at}" ${size} href="data:image/png;base64,${bytes}"/>`;
  });
  expect(await refusalOf(svg(images.join("")), { decoder, maxDecodeMb: 64 })).toBe(
    "The picture needs more than 64 MB to be rendered (uploads.max_decode_mb)",
  );
  expect(await draw(svg(lime), { decoder, maxDecodeMb: 64 })).toMatchObject({ width: 50 });
});

test("SVG that takes too long is refused", async () => {
  decoder = openDecoder(log, { longest: 3_000, idle: 60_000 });
  const blurs = '<feGaussianBlur stdDeviation="500"/>'.repeat(50);
  const filter = `<filter id="f" x="-5" y="-5" width="11" height="11">${blurs}</filter>`;
  const side = 'width="9000" height="9000"';
  const slow = await folder.write(
    Buffer.from(svg(`${filter}<rect ${side} filter="url(#f)"/>`, side)),
  );
  const large = profileOf({ width: 2000, height: 2000, fit: "contain" });
  await expect(processImage(slow, large, { decoder, isVector: true })).rejects.toEqual(
    new Refusal("INVALID", { error: "The picture takes too long to decode" }),
  );
});

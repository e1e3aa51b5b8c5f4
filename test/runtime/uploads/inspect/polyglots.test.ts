import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { notAsNamed, refused, verdictOn } from "./read.js";
import * as sample from "./samples.js";

const script = Buffer.from("<html><script>alert(1)</script></html>");
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

/** Files that are two things at once are stored as what their first bytes are, and served as that. */
test.each([
  ["a GIF with HTML in a comment", "image/gif", gifWith(script)],
  ["a JPEG with a script after its end", "image/jpeg", Buffer.concat([sample.jpeg, script])],
  ["a PNG with a script after its end", "image/png", Buffer.concat([sample.png, script])],
  ["a PDF that is an archive, too", "application/pdf", both(sample.pdf, sample.zip(["a", "a"]))],
  ["a GIF that is an archive, too", "image/gif", both(sample.gif, sample.jar)],
  ["a PDF with HTML after its header", "application/pdf", Buffer.concat([sample.pdf, script])],
])("stores %s as %s", async (_, type, file) => {
  expect(await verdictOn(file)).toBe(type);
});

test.each([
  ["an SVG named .png", svg, { name: "a.png" }, refused.markup],
  ["an SVG sent as image/svg+xml", svg, { contentType: "image/svg+xml" }, refused.markup],
  ["a PNG's signature before HTML", both(sample.png.subarray(0, 8), script), {}, refused.unknown],
  ["an archive behind HTML", both(script, sample.zip(["a", "a"])), {}, refused.unknown],
  ["a PDF behind HTML", both(script, sample.pdf), {}, refused.unknown],
  ["a tar whose first name is HTML", tarNamed("<html><script>"), {}, refused.unknown],
  ["JavaScript that begins like a GIF", "GIF89a=1;", { name: "a.gif" }, notAsNamed("text/plain")],
  ["HTML behind a NUL", both(Buffer.from("\0"), script), {}, refused.unknown],
  ["a PDF named .html", sample.pdf, { name: "a.html" }, notAsNamed("application/pdf")],
  ["a GIF named .js", sample.gif, { name: "a.js" }, notAsNamed("image/gif")],
  [
    "a document with macros named .docx",
    sample.docm,
    { name: "a.docx" },
    notAsNamed("application/vnd.ms-word.document.macroenabled.12"),
  ],
  ["a packed SVG", sample.gzip, { name: "a.svgz" }, notAsNamed("application/gzip")],
] as const)("refuses %s", async (_, file, sentAs, words) => {
  expect(await verdictOn(file, sentAs)).toBe(words);
});

test("stores a program that begins like a GIF as text, and serves it as neither", async () => {
  expect(await verdictOn("GIF89a=1;alert(1)", { name: "notes.txt" })).toBe("text/plain");
});

function both(first: Uint8Array, second: Uint8Array): Buffer {
  return Buffer.concat([first, second]);
}

/** A comment of one block follows the colours. */
function gifWith(comment: Buffer): Buffer {
  const block = Buffer.concat([sample.bytes("21fe"), Buffer.from([comment.length]), comment]);
  return Buffer.concat([
    sample.gif.subarray(0, 19),
    block,
    Buffer.alloc(1),
    sample.gif.subarray(19),
  ]);
}

function tarNamed(name: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(name);
  header.write("ustar\0", 257);
  return header;
}

import { Buffer } from "node:buffer";
import fc from "fast-check";
import { expect, test } from "vitest";
import { typesOfName } from "../../../../runtime/uploads/inspect/extension.js";
import { newMarkupWatch } from "../../../../runtime/uploads/inspect/text/markup.js";
import { tries } from "../../../support/searches.js";
import { verdictOn } from "./read.js";
import * as sample from "./samples.js";

const samples = Object.values(sample).filter((value) => Buffer.isBuffer(value));
const head = fc.constantFrom(
  ...samples,
  ...["<!--", "<", "GIF89a", "ID3\x04\0\0", "\uFEFF", "RIFF", "II*\0", "OggS", "PK\x03\x04"].map(
    (word) => Buffer.from(word, "latin1"),
  ),
);

/** Signatures with anything behind them, cut anywhere: what parsers of signatures stumble over. */
const anyFile = fc
  .tuple(head, fc.uint8Array({ maxLength: 300 }), fc.nat({ max: 400 }))
  .map(([first, rest, length]) => Buffer.concat([first, rest]).subarray(0, length));

test("any bytes lead to a verdict", async () => {
  await fc.assert(
    fc.asyncProperty(anyFile, async (file) => {
      expect(typeof (await verdictOn(file))).toBe("string");
    }),
    { numRuns: tries(2000) },
  );
});

test("the verdict is the same for any chunks of a file", async () => {
  const longFile = fc
    .tuple(
      fc.constantFrom(" ", "x", "<!-- x", "ä"),
      fc.constantFrom("<p>", "\0", "-->y", "-->"),
      fc.nat(3),
    )
    .map(([fill, end, more]) => Buffer.from(fill + fill.slice(-1).repeat(65_530 + more) + end));
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(anyFile, longFile),
      fc.integer({ min: 1, max: 70_000 }),
      async (file, pieces) => {
        const size = file.length > 60_000 ? Math.max(pieces, 1000) : pieces;
        const inOne = await verdictOn(file, { pieces: Math.max(1, file.length) });
        expect(await verdictOn(file, { pieces: size })).toBe(inOne);
      },
    ),
    { numRuns: tries(500) },
  );
});

test("markup is detected in any chunks of the text", () => {
  const part = fc.constantFrom(
    "<",
    "!",
    "-",
    "--",
    ">",
    "/",
    "!--",
    "-->",
    "--!>",
    " ",
    "p",
    ":",
    "@",
    "\n",
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), fc.nat({ max: 300 }), (parts, name) => {
      const text = parts.join("") + "p".repeat(name);
      const whole = newMarkupWatch();
      const split = newMarkupWatch();
      whole.sees(text);
      for (const character of text) split.sees(character);
      expect(split.seesAtEnd()).toBe(whole.seesAtEnd());
    }),
    { numRuns: tries(5000) },
  );
});

test("every text without control characters that begins with a letter or digit is stored as text", async () => {
  const word = fc
    .string({ unit: "grapheme", maxLength: 200 })
    .filter((text) => !/\p{Cc}/u.test(text));
  const beginning = fc.constantFrom(..."abcXYZ019äß中", "GIF89a", "BM", "MZ", "PK", "ID3", "free");
  await fc.assert(
    fc.asyncProperty(beginning, word, async (first, rest) => {
      fc.pre(!/^[!-9;-~]+\s*:/.test(first + rest));
      expect(await verdictOn(first + rest)).toBe("text/plain");
    }),
    { numRuns: tries(1000) },
  );
});

test("any name leads to types", () => {
  const name = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("a.toString", "a.constructor"),
  );
  fc.assert(
    fc.property(name, (given) => {
      for (const type of typesOfName(given)) expect(type).toContain("/");
    }),
  );
});

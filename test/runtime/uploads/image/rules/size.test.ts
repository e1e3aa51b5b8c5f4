import fc from "fast-check";
import { expect, test } from "vitest";
import {
  exactOutputOf,
  frameOf,
  outputOf,
} from "../../../../../runtime/uploads/image/rules/size.js";

const side = fc.integer({ min: 1, max: 100_000 });
const wantedSide = fc.integer({ min: 1, max: 16_383 });
const original = fc.record({ width: side, height: side });
const wanted = fc.record({ width: wantedSide, height: wantedSide });
const anyFit = fc.constantFrom("cover" as const, "contain" as const);

test.each([
  ["contain", [4000, 3000], [1600, 1600], [1600, 1200]],
  ["contain", [3000, 4000], [1600, 1600], [1200, 1600]],
  ["contain", [800, 600], [1600, 1600], [800, 600]],
  ["contain", [1, 60_000], [2000, 2000], [1, 2000]],
  ["cover", [4000, 3000], [1600, 900], [1600, 900]],
  ["cover", [800, 600], [1600, 900], [800, 450]],
  ["cover", [3000, 500], [1600, 900], [889, 500]],
  ["cover", [500, 3000], [400, 400], [400, 400]],
  ["cover", [1, 60_000], [400, 400], [1, 1]],
] as const)("%s: of %j requested as %j is %j", (fit, from, asked, expected) => {
  const [width, height] = asked;
  const output = outputOf({ width: from[0], height: from[1] }, { width, height, fit });
  expect([output.width, output.height]).toEqual(expected);
});

test("a picture is never larger than requested or than the original, and never empty", () => {
  fc.assert(
    fc.property(original, wanted, anyFit, (from, size, fit) => {
      const output = outputOf(from, { ...size, fit });
      expect(output.width).toBeLessThanOrEqual(Math.min(size.width, from.width));
      expect(output.height).toBeLessThanOrEqual(Math.min(size.height, from.height));
      expect(Math.min(output.width, output.height)).toBeGreaterThanOrEqual(1);
    }),
  );
});

test("contain keeps the original's ratio within a pixel, and touches the box or is the original", () => {
  fc.assert(
    fc.property(original, wanted, (from, size) => {
      const output = outputOf(from, { ...size, fit: "contain" });
      const scale = Math.min(1, size.width / from.width, size.height / from.height);
      expect(Math.abs(output.width - from.width * scale)).toBeLessThan(1);
      expect(Math.abs(output.height - from.height * scale)).toBeLessThan(1);
      const sides = [from.width, from.height, size.width, size.height];
      expect(sides.includes(output.width) || sides.includes(output.height)).toBe(true);
    }),
  );
});

test("cover is the requested size, or the largest of its ratio that the original has", () => {
  fc.assert(
    fc.property(original, wanted, (from, size) => {
      const output = outputOf(from, { ...size, fit: "cover" });
      const isEnough = from.width >= size.width && from.height >= size.height;
      const { width, height } = output;
      if (isEnough) expect({ width, height }).toEqual(size);
      else expect(width === from.width || height === from.height).toBe(true);
      const scale = Math.min(1, from.width / size.width, from.height / size.height);
      expect(Math.abs(width - size.width * scale)).toBeLessThan(1);
      expect(Math.abs(height - size.height * scale)).toBeLessThan(1);
    }),
  );
});

test("an exact picture has the requested size, whatever the original's", () => {
  fc.assert(
    fc.property(original, wanted, (from, size) => {
      const { width, height } = exactOutputOf(from, size);
      expect({ width, height }).toEqual(size);
    }),
  );
});

test("a frame has all pixels that its outputs need, and no more than the original", () => {
  fc.assert(
    fc.property(original, fc.array(fc.tuple(wanted, anyFit), { minLength: 1 }), (from, sizes) => {
      const outputs = sizes.map(([size, fit]) => outputOf(from, { ...size, fit }));
      const frame = frameOf(from, outputs);
      expect(frame.width).toBeLessThanOrEqual(from.width);
      expect(frame.height).toBeLessThanOrEqual(from.height);
      for (const { shown, scale } of outputs) {
        expect(frame.width).toBeGreaterThanOrEqual(Math.floor(shown.width * scale));
        expect(frame.height).toBeGreaterThanOrEqual(Math.floor(shown.height * scale));
      }
    }),
  );
});

test("the frame of one output is that output, so that it is scaled only once", () => {
  fc.assert(
    fc.property(original, wanted, anyFit, (from, size, fit) => {
      const output = outputOf(from, { ...size, fit });
      const { width, height } = frameOf(from, [output]);
      expect({ width, height }).toEqual({ width: output.width, height: output.height });
    }),
  );
});

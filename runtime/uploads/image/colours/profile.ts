import type { ColourSpace, Curve, Point, Primaries } from "./coded.js";

/** An ICC profile (version 4) for display colors: three primaries and a curve. */
export function iccProfile({ primaries, curve }: ColourSpace): Buffer {
  const [red, green, blue] = adaptedColumns(primaries);
  const curveTag = curveOf(curve);
  const tags: readonly (readonly [string, Buffer])[] = [
    ["desc", text("converted")],
    ["cprt", text("public domain")],
    ["wtpt", xyzTag(d50)],
    ["rXYZ", xyzTag(red)],
    ["gXYZ", xyzTag(green)],
    ["bXYZ", xyzTag(blue)],
    ["rTRC", curveTag],
    ["gTRC", curveTag],
    ["bTRC", curveTag],
  ];
  const table = Buffer.alloc(4 + tags.length * 12);
  table.writeUInt32BE(tags.length);
  let at = headerLength + table.length;
  for (const [index, [name, data]] of tags.entries()) {
    table.write(name, 4 + index * 12, "latin1");
    table.writeUInt32BE(at, 8 + index * 12);
    table.writeUInt32BE(data.length, 12 + index * 12);
    at += data.length;
  }
  return Buffer.concat([header(at), table, ...tags.map(([, data]) => data)]);
}

type Vector = readonly [number, number, number];
type Matrix = readonly [Vector, Vector, Vector];

const headerLength = 128;
/** The reference white (D50) of every ICC profile. */
const d50: Vector = [0.9642, 1, 0.8249];
/** The Bradford chromatic adaptation: from XYZ to the responses of the eye's cones. */
const bradford: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];

/** XYZ of red, green and blue at full intensity, adapted to the white point D50. */
function adaptedColumns({ red, green, blue, white }: Primaries): Matrix {
  const unscaled = transpose([xyzOf(red), xyzOf(green), xyzOf(blue)]);
  const strengths = times(inverse(unscaled), xyzOf(white));
  const from = times(bradford, xyzOf(white));
  const to = times(bradford, d50);
  const adapt = (colour: Vector): Vector => {
    const [l, m, s] = times(bradford, colour);
    const scaled: Vector = [(l * to[0]) / from[0], (m * to[1]) / from[1], (s * to[2]) / from[2]];
    return times(inverse(bradford), scaled);
  };
  const columns = transpose(unscaled);
  return [
    adapt(scaledBy(columns[0], strengths[0])),
    adapt(scaledBy(columns[1], strengths[1])),
    adapt(scaledBy(columns[2], strengths[2])),
  ];
}

function xyzOf([x, y]: Point): Vector {
  return [x / y, 1, (1 - x - y) / y];
}

function times(matrix: Matrix, [x, y, z]: Vector): Vector {
  const row = ([a, b, c]: Vector) => a * x + b * y + c * z;
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])];
}

function scaledBy([x, y, z]: Vector, factor: number): Vector {
  return [x * factor, y * factor, z * factor];
}

function transpose([[a, b, c], [d, e, f], [g, h, i]]: Matrix): Matrix {
  return [
    [a, d, g],
    [b, e, h],
    [c, f, i],
  ];
}

function inverse([[a, b, c], [d, e, f], [g, h, i]]: Matrix): Matrix {
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  const cofactors: Matrix = [
    [e * i - f * h, c * h - b * i, b * f - c * e],
    [f * g - d * i, a * i - c * g, c * d - a * f],
    [d * h - e * g, b * g - a * h, a * e - b * d],
  ];
  return [
    scaledBy(cofactors[0], 1 / determinant),
    scaledBy(cofactors[1], 1 / determinant),
    scaledBy(cofactors[2], 1 / determinant),
  ];
}

function header(size: number): Buffer {
  const bytes = Buffer.alloc(headerLength);
  bytes.writeUInt32BE(size, 0);
  bytes.writeUInt32BE(0x04300000, 8);
  bytes.write("mntrRGB XYZ ", 12, "latin1");
  // A date is required; a constant one keeps the profile deterministic.
  for (const [index, part] of [2000, 1, 1].entries()) bytes.writeUInt16BE(part, 24 + index * 2);
  bytes.write("acsp", 36, "latin1");
  for (const [index, value] of d50.entries()) bytes.writeInt32BE(fixed(value), 68 + index * 4);
  return bytes;
}

/** A fixed-point number with 16 integer bits and 16 fraction bits. */
function fixed(value: number): number {
  return Math.round(value * 65_536);
}

function xyzTag(vector: Vector): Buffer {
  return tag("XYZ ", vector.map(fixed));
}

function curveOf(curve: Curve): Buffer {
  // Parametric curves: type 0 is a power, type 3 a power with a linear segment before it.
  if (curve !== "srgb") return tag("para", [0, fixed(curve)]);
  const [power, a, b, c, d] = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045];
  return tag("para", [3 * 65_536, ...[power, a, b, c, d].map(fixed)]);
}

function tag(type: string, values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8 + values.length * 4);
  bytes.write(type, "latin1");
  for (const [index, value] of values.entries()) bytes.writeInt32BE(value, 8 + index * 4);
  return bytes;
}

/** An English text tag, in UTF-16, padded to a multiple of four bytes. */
function text(words: string): Buffer {
  const letters = Buffer.from(words, "utf16le").swap16();
  const head = Buffer.alloc(28);
  head.write("mluc", "latin1");
  for (const [at, value] of [
    [8, 1],
    [12, 12],
    [20, letters.length],
    [24, 28],
  ] as const) {
    head.writeUInt32BE(value, at);
  }
  head.write("enUS", 16, "latin1");
  return Buffer.concat([head, letters, Buffer.alloc((4 - (letters.length % 4)) % 4)]);
}

import { type FileNumbers, fileMarks } from "./number-marks.js";
import { type NumberText, type ReadNumber, readNumber } from "./number-text.js";

export type { FileNumbers };

/** Parses and formats numbers of a file. If the notation is unknown (null), ambiguous numbers are rejected. */
export function numbersInFile(way: FileNumbers | null): NumberText {
  return {
    read: way === null ? readEither : (text) => readNumber(text, [fileMarks[way]]),
    write: writePlain,
  };
}

/** Formats a number for programs: with a decimal point and no thousands separators. */
export function writePlain(value: number, decimals?: number): string {
  // `toFixed` accepts at most 100.
  const fixed = decimals === undefined ? "" : value.toFixed(Math.min(100, decimals));
  return fixed !== "" && Number(fixed) === value && !fixed.includes("e") ? fixed : String(value);
}

function readIn(text: string, way: FileNumbers): number | null {
  const read = readNumber(text, [fileMarks[way]]);
  return read.kind === "number" ? read.value : null;
}

function readEither(text: string): ReadNumber {
  const found = [readIn(text, "point"), readIn(text, "comma")].filter((one) => one !== null);
  const values = [...new Set(found)];
  const [value] = values;
  if (value === undefined) return { kind: "none" };
  return values.length === 1 ? { kind: "number", value } : { kind: "unclear", values };
}

/**
 * The notation of all numbers of a column; null if they could also mean something else in the other
 * notation, or if both notations occur. If both are possible, the one with more than `places`
 * decimals is excluded.
 */
export function wayOf(cells: readonly string[], places: number): FileNumbers | null {
  const both = cells
    .map((text) => ({ text, point: readIn(text, "point"), comma: readIn(text, "comma") }))
    .filter(({ point, comma }) => point !== comma);
  const isPoint = both.some(({ comma }) => comma === null);
  const isComma = both.some(({ point }) => point === null);
  if (isPoint !== isComma) return isPoint ? "point" : "comma";
  if (both.length === 0) return "point";
  const isFit = (way: FileNumbers) =>
    both.every(({ text }) => decimalsOf(text, fileMarks[way].decimal) <= places);
  const fitting = (["point", "comma"] as const).filter(isFit);
  return isPoint || fitting.length !== 1 ? null : (fitting[0] ?? null);
}

function decimalsOf(text: string, decimal: string): number {
  return /^\d*/.exec(text.split(decimal)[1] ?? "")?.[0].length ?? 0;
}

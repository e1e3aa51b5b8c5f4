/** The digits of a notation, and the characters between them. */
export interface NumberMarks {
  /** The decimal separator. */
  readonly decimal: string;
  /** Characters that may separate thousands. */
  readonly groups: readonly string[];
  /** The sizes of the last group and of the others: 3 and 2 in India. */
  readonly sizes: readonly [last: number, others: number];
  /** The digits from zero to nine. */
  readonly digits: readonly string[];
}

/** These characters only separate thousands. `Intl` and typesetters use no-break and thin spaces. */
const neverDecimal = [" ", "\u00a0", "\u2009", "\u202f", "'", "’"];
const ascii = [..."0123456789"];

/** The number notation of a file: with a decimal point or a decimal comma. */
export type FileNumbers = "point" | "comma";

const usual = { sizes: [3, 3], digits: ascii } as const;
export const fileMarks: Readonly<Record<FileNumbers, NumberMarks>> = {
  point: { ...usual, decimal: ".", groups: [",", ...neverDecimal] },
  comma: { ...usual, decimal: ",", groups: [".", ...neverDecimal] },
};

/** The marks of a locale: with its own digits, and with those of most keyboards. */
export function marksOf(locale: string): readonly NumberMarks[] {
  const own = marksIn(new Intl.NumberFormat(locale));
  const latin = marksIn(new Intl.NumberFormat(locale, { numberingSystem: "latn" }));
  return own.digits[0] === "0" ? [own] : [own, latin];
}

/** A number with three groups and decimals. */
const sample = 123_456_789.5;

function marksIn(format: Intl.NumberFormat): NumberMarks {
  const parts = format.formatToParts(sample);
  const partOf = (wanted: string) => parts.find(({ type }) => type === wanted)?.value;
  const lengths = parts.flatMap(({ type, value }) =>
    type === "integer" ? [[...value].length] : [],
  );
  const group = partOf("group");
  return {
    decimal: partOf("decimal") ?? ".",
    groups: [...new Set([...(group === undefined ? [] : [group]), ...neverDecimal])],
    sizes: group === undefined ? usual.sizes : [lengths.at(-1) ?? 3, lengths.at(-2) ?? 3],
    digits: ascii.map((digit) => format.format(Number(digit))),
  };
}

/** Converts a number in this notation to ASCII digits with a decimal point; null for other text. */
export function digitsOf(text: string, marks: NumberMarks): string | null {
  const [whole = "", fraction = "", more] = inAscii(text, marks).split(marks.decimal);
  if (more !== undefined || !/^\d*$/.test(fraction)) return null;
  if (/^\d*$/.test(whole)) return whole + fraction === "" ? null : `${whole}.${fraction}`;
  return isGrouped(whole, marks) ? `${whole.replace(/\D/g, "")}.${fraction}` : null;
}

/** Replaces the locale's digits with ASCII digits. */
export function inAscii(text: string, { digits }: NumberMarks): string {
  if (digits[0] === "0") return text;
  return [...text].map((one) => (digits.includes(one) ? digits.indexOf(one) : one)).join("");
}

function isGrouped(text: string, { groups, sizes }: NumberMarks): boolean {
  const separator = /\D/.exec(text)?.[0] ?? "";
  if (!groups.includes(separator) || !/^[1-9]/.test(text)) return false;
  const parts = text.split(separator);
  const hasSizes = ([last, others]: readonly [number, number]) =>
    parts.every((part, at) => {
      if (!/^\d+$/.test(part)) return false;
      if (at === 0) return part.length <= others;
      return part.length === (at === parts.length - 1 ? last : others);
    });
  // Groups of three are also accepted in India.
  return hasSizes(sizes) || hasSizes(usual.sizes);
}

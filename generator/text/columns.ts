/**
 * Returns the width of a string in columns, as formatters count them: wide East Asian characters and emoji take two,
 * combining marks none.
 */
export function columns(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let sum = 0;
  for (const character of text) sum += columnsOf(character);
  return sum;
}

function columnsOf(character: string): number {
  if (/[\p{Mn}\p{Me}\p{Cf}]/u.test(character)) return 0;
  return /\p{Emoji_Presentation}/u.test(character) || isWide(character) ? 2 : 1;
}

/** Unicode Standard Annex #11: the blocks whose characters are Wide or Fullwidth. */
const wide: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6b],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x1b2fb],
  [0x20000, 0x3fffd],
];

function isWide(character: string): boolean {
  const point = character.codePointAt(0) ?? 0;
  return wide.some(([first, last]) => point >= first && point <= last);
}

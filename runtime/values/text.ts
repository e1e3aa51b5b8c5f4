/** True for text that PostgreSQL can store unchanged: no NUL, no lone surrogate. */
export function isUnicode(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/**
 * The text in Unicode NFC, in which what looks the same is the same. Compatibility ideographs stay: NFC would replace them by
 * others, and Japanese names are written with them.
 */
export function nfc(text: string): string {
  if (!mayChange.test(text)) return text;
  return text.replace(changing, (part) => part.normalize("NFC"));
}

/** All below it is in NFC by itself. */
const mayChange = /[^\0-\u02ff]/;
const changing = /[^\uf900-\ufaff\u{2f800}-\u{2fa1f}]+/gu;

/**
 * A text as searches compare it: without case and accents, but for й, which is a separate letter; letters that no accent can
 * be removed from become those that are typed instead. `service.fold_text` is the same in SQL.
 */
export function foldText(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  return text
    .normalize("NFD")
    .toLowerCase()
    .replace(/[\u0300-\u0305\u0307-\u036f]+/g, "")
    .replaceAll("\u0438\u0306", "\u0439")
    .replaceAll("\u0306", "")
    .replace(/[ςßæœøłđðþı]/g, (letter) => plainLetters[letter] ?? letter);
}

const ascii = /^[\0-\x7f]*$/;

const plainLetters: Readonly<Record<string, string>> = {
  ς: "σ",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};

/** `a, b and c` */
export function listWords(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

/** The most words of a list that a message shows. */
const maxShown = 20;

/** `a, b and c`; a list of more than 20 ends in the number of the others: `… and 5 more`. */
export function listWordsBriefly(words: readonly string[]): string {
  if (words.length <= maxShown) return listWords(words);
  return listWords([...words.slice(0, maxShown), `${words.length - maxShown} more`]);
}

/** Code points of a text of another program that a message quotes. */
const maxQuoted = 500;

/**
 * A text of another program, for a message: one line without control characters, which would change the terminal, and
 * cut where it is long.
 */
export function oneLine(text: string): string {
  // Four times as much is enough for all that is removed or joined, and bounds the work on a very long text.
  const line = text
    .slice(0, maxQuoted * 4)
    .replaceAll(/\p{Bidi_Control}/gu, "")
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .toWellFormed()
    .trim();
  const shown = [...line].slice(0, maxQuoted).join("");
  return shown === line && text.length <= maxQuoted * 4 ? line : `${shown}…`;
}

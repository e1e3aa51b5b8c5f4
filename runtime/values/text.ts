/** Whether PostgreSQL can store the text unchanged: it has no NUL and no unpaired surrogate. */
export function isUnicode(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/**
 * The text in Unicode NFC, so that text that looks equal is equal. Compatibility ideographs are kept: NFC would replace
 * them, and Japanese names use them.
 */
export function nfc(text: string): string {
  if (!mayChange.test(text)) return text;
  return text.replace(changing, (part) => part.normalize("NFC"));
}

/** All characters below U+0300 are already in NFC. */
const mayChange = /[^\0-\u02ff]/;
const changing = /[^\uf900-\ufaff\u{2f800}-\u{2fa1f}]+/gu;

/**
 * Folds a text for searches: without case and accents, except й, which is a separate letter. Letters such as ø and ß
 * become the letters typed in their place. `service.fold_text` is the same in SQL.
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

/** The maximum number of words of a list that a message shows. */
const maxShown = 20;

/** `a, b and c`; a list of more than 20 ends in the number of the others: `… and 5 more`. */
export function listWordsBriefly(words: readonly string[]): string {
  if (words.length <= maxShown) return listWords(words);
  return listWords([...words.slice(0, maxShown), `${words.length - maxShown} more`]);
}

/** The maximum number of code points that a message quotes from another program. */
const maxQuoted = 500;

/**
 * Cleans text from another program for a message: one line, shortened, without control characters, which terminals
 * interpret.
 */
export function oneLine(text: string): string {
  // Four times the length is enough for characters removed or joined, and bounds the work on a very long text.
  const line = text
    .slice(0, maxQuoted * 4)
    .replaceAll(/\p{Bidi_Control}/gu, "")
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .toWellFormed()
    .trim();
  const shown = [...line].slice(0, maxQuoted).join("");
  return shown === line && text.length <= maxQuoted * 4 ? line : `${shown}…`;
}

/** Whether PostgreSQL can store the text unchanged: it contains neither NUL nor an unpaired surrogate. */
export function isUnicode(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/**
 * Normalizes text to Unicode NFC, so that text that looks equal is equal. Compatibility ideographs stay, although NFC
 * would replace them, because Japanese names use them.
 */
export function nfc(text: string): string {
  if (!mayChange.test(text)) return text;
  return text.replace(changing, (part) => part.normalize("NFC"));
}

/** Matches characters from U+0300 on; all others are already in NFC. */
const mayChange = /[^\0-\u02ff]/;
const changing = /[^\uf900-\ufaff\u{2f800}-\u{2fa1f}]+/gu;

/**
 * Folds text for searches: removes case and accents, except that of й, a separate letter. Letters such as ø and ß
 * become those that people type instead. `service.fold_text` does the same in SQL.
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

/** Joins words like `a, b and c`. */
export function listWords(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

/** Maximum number of words of a list in a message. */
const maxShown = 20;

/** Joins words like `a, b and c`; a list of more than 20 ends with the number of the rest: `… and 5 more`. */
export function listWordsBriefly(words: readonly string[]): string {
  if (words.length <= maxShown) return listWords(words);
  return listWords([...words.slice(0, maxShown), `${words.length - maxShown} more`]);
}

/** Maximum number of code points that a message quotes from another program. */
const maxQuoted = 500;

/**
 * Cleans text from another program for a message: one line, shortened, without control characters, which terminals
 * interpret.
 */
export function oneLine(text: string): string {
  // Four times the length leaves enough for characters removed or joined, and limits the work for very long text.
  const line = text
    .slice(0, maxQuoted * 4)
    .replaceAll(/\p{Bidi_Control}/gu, "")
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .toWellFormed()
    .trim();
  const shown = [...line].slice(0, maxQuoted).join("");
  return shown === line && text.length <= maxQuoted * 4 ? line : `${shown}…`;
}

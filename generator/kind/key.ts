/** Bytes; PostgreSQL refuses a longer key in a B-tree page (a third of it, less overhead). */
export const maxKeyBytes = 2600;

/** Of a code point in UTF-8, at most. */
export const maxCharacterBytes = 4;

/** Of a value that is no text, at most: a decimal of thirty digits, with what lies before it. */
export const maxPlainKeyBytes = 32;

/** Of a text's digest in its place. */
export const digestBytes = 40;

/** Bytes; PostgreSQL refuses a longer key in a B-tree page (a third of it, less overhead). */
export const maxKeyBytes = 2600;

/** The most bytes of a code point in UTF-8. */
export const maxCharacterBytes = 4;

/** The most bytes of a value that is not text: a decimal of thirty digits with its header. */
export const maxPlainKeyBytes = 32;

/** The bytes of a digest that replaces a text. */
export const digestBytes = 40;

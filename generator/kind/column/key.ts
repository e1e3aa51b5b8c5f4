/** Bytes; PostgreSQL refuses a B-tree key longer than a third of a page, less overhead. */
export const maxKeyBytes = 2600;

/** The largest size of a code point in UTF-8, in bytes. */
export const maxCharacterBytes = 4;

/** The largest size of a value that is not text, in bytes: a decimal of thirty digits with its header. */
export const maxPlainKeyBytes = 32;

/** The size of a digest that replaces a text, in bytes. */
export const digestBytes = 40;

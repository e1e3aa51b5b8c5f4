/** Maximum number of bytes; PostgreSQL rejects a B-tree key longer than a third of a page, less overhead. */
export const maxKeyBytes = 2600;

/** Maximum size of a code point in UTF-8, in bytes. */
export const maxCharacterBytes = 4;

/** Maximum size of a value other than a string, in bytes: a decimal of thirty digits with its header. */
export const maxPlainKeyBytes = 32;

/** Size of a digest that replaces a string, in bytes. */
export const digestBytes = 40;

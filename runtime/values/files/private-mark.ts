/**
 * Marks the key of a private file's details, `imageFile` or `photosFiles`, at its end, from the statement that reads a
 * record until the file's URLs are signed. No other key ends like this; in a value, the quote after it would be
 * escaped.
 */
export const privateMark = "\t";

/** The mark and the quote after it in JSON text. */
export const markedEnd = '\\t"';

/** Whether a record's JSON text has a private file whose URLs are not signed yet. */
export function hasPrivateFile(json: string): boolean {
  return json.includes(markedEnd) && /\\t"(?: : |:)\[?\{/.test(json);
}

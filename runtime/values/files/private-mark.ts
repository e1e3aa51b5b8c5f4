/**
 * Ends the key of a private file's details, `imageFile` or `photosFiles`, from the statement that reads a record until
 * the file's addresses are signed. No other key ends in it; inside a value, the quote after it would be escaped.
 */
export const privateMark = "\t";

/** The mark at the end of a key in JSON text. */
export const markedEnd = '\\t"';

/** Whether a record's JSON text has a private file whose addresses are not yet signed. */
export function hasPrivateFile(json: string): boolean {
  return json.includes(markedEnd) && /\\t"(?: : |:)\[?\{/.test(json);
}

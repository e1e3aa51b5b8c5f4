/** The words of other pages of a resource, where its records have their ids. */
const words: ReadonlySet<string> = new Set(["api", "charts", "import", "new", "trash"]);

/** A record's id as a part of an address. With an escaped letter, it is not the word of another page. */
export function idInPath(id: string): string {
  return words.has(id)
    ? `%${id.charCodeAt(0).toString(16).toUpperCase()}${id.slice(1)}`
    : encodeURIComponent(id);
}

/** The id in a part of an address, which may be malformed. */
export function idOfPath(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

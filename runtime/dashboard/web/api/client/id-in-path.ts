/** The names of a resource's other pages, whose paths could be confused with ids. */
const words: ReadonlySet<string> = new Set(["api", "charts", "import", "new", "trash"]);

/** Returns a record's id as a path segment. An escaped letter distinguishes it from the name of another page. */
export function idInPath(id: string): string {
  return words.has(id)
    ? `%${id.charCodeAt(0).toString(16).toUpperCase()}${id.slice(1)}`
    : encodeURIComponent(id);
}

/** Returns the id in a path segment, which may be malformed. */
export function idOfPath(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

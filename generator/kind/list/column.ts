/** The type of a column with lists, from that of an element: `text[] collate "und-x-icu"`. */
export function listType(element: string): string {
  return element.replace(/(?= collate |$)/, "[]");
}

/** The type of an element, from that of a column with lists. */
export function elementType(list: string): string {
  return list.replace("[]", "");
}

/** Whether a column of that type has lists. */
export function isListType(type: string): boolean {
  return type.includes("[]");
}

/** Returns the type of a list column, given that of an element: `text[] collate "und-x-icu"`. */
export function listType(element: string): string {
  return element.replace(/(?= collate |$)/, "[]");
}

/** Returns the type of an element, given that of a list column. */
export function elementType(list: string): string {
  return list.replace("[]", "");
}

export function isListType(type: string): boolean {
  return type.includes("[]");
}

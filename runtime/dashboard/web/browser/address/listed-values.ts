import { readLists } from "../../../../values/operators.js";

/** Parses the values of one `in` or `nin`, separated by commas; null if they are invalid. */
export function listedValues(text: string): readonly string[] | null {
  const read = readLists([text]);
  return "values" in read ? read.values : null;
}

export function joinValues(values: readonly string[]): string {
  return values.map((value) => value.replace(/[\\,]/g, "\\$&")).join(",");
}

/**
 * A document in which no field is called as what every object inherits (`constructor`, `hasOwnProperty`), as those of
 * the fixture `names` are. Tools of others take such a field for the inherited function, or call it.
 */
export function withoutPrototypeNames(document: string): string {
  const names = Object.getOwnPropertyNames(Object.prototype).map((name) =>
    name.replaceAll("_", ""),
  );
  return names.reduce(
    (text, name) => text.replaceAll(new RegExp(`(?<=")(_*${name}_*)(?=")`, "g"), "the-$1"),
    document,
  );
}

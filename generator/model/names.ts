import pluralize from "pluralize";
import { cutName, shortName } from "../../runtime/values/schema/short-name.js";
import { isTakenInTypeScript } from "./reserved-names.js";

/** The names derived from a resource's name; `Resource` describes them. */
export interface ResourceNames {
  readonly label: string;
  readonly singular: string;
  readonly type: string;
  readonly variable: string;
  readonly collection: string;
  readonly table: string;
}

/**
 * Returns the names of a resource. A word that emitted TypeScript cannot use, because it is reserved, global or
 * imported, gets the suffix `Record` (the collection: `Records`): `dates` has the type `DateRecord`.
 */
export function namesOf(resource: {
  readonly name: string;
  readonly label: string | null;
  readonly singular: string | null;
  /** The table in the descriptor; null for the default. */
  readonly table: string | null;
}): ResourceNames {
  const words = resource.name.split("-");
  const singularWords = words.with(-1, singularOf(words.at(-1) ?? ""));
  const type = typescriptName(
    pascalCase(resource.singular) ?? singularWords.map(capitalize).join(""),
  );
  const variable = avoidReserved(camelCase(type), "Record");
  const collection = typescriptName(camelWords(words));
  const isVariable = emittedSuffixes.some((suffix) => variable + suffix === collection);
  return {
    label: resource.label ?? inWords(words),
    singular: resource.singular ?? inWords(singularWords),
    type: avoidReserved(type, "Record"),
    variable,
    collection: avoidReserved(isVariable ? `${collection}Records` : collection, "Records"),
    table: resource.table ?? usualTable(resource.name),
  };
}

function camelWords(words: readonly string[]): string {
  return words.map((word, index) => (index === 0 ? word : capitalize(word))).join("");
}

/** Returns the default table of a resource: `order-items` → `order_items`. */
export function usualTable(resource: string): string {
  return shortName(resource.replaceAll("-", "_"));
}

/** Returns the default column of a field, or of `createdAt`: `releasedOn` → `released_on`. */
export function usualColumn(field: string): string {
  const words = field
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2");
  return shortName(words.toLowerCase());
}

/** Returns the name, shortened if it would not fit on the lines of emitted code that declare it. */
function typescriptName(name: string): string {
  return cutName(name, maxCharacters);
}

const maxCharacters = 48;

/** The suffixes that emitted files add to `variable`; a collection must differ from each result. */
const emittedSuffixes = [
  "",
  "Create",
  "Definition",
  "Descriptor",
  "Replace",
  "Routes",
  "Update",
  "Uploads",
];

function avoidReserved(name: string, suffix: string): string {
  return isTakenInTypeScript(name) ? name + suffix : name;
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Returns the singular of a word; the word itself if English rules would leave nothing, as for "s". */
function singularOf(word: string): string {
  return pluralize.singular(word) || word;
}

/** "Order item" */
function inWords(words: readonly string[]): string {
  return capitalize(words.join(" "));
}

/** Converts any words to a type's name: "Größe (XL)" → `GrosseXL`; null if ASCII cannot represent them. */
function pascalCase(text: string | null): string | null {
  const plain = (text ?? "").normalize("NFKD").replace(/\p{M}/gu, "").replaceAll("ß", "ss");
  const name = (plain.match(/[A-Za-z0-9]+/g) ?? []).map(capitalize).join("");
  const isWhole = !/[^\P{L}A-Za-z]/u.test(plain);
  return isWhole && /^[A-Z]/.test(name) ? name : null;
}

/** Converts `FAQEntry` to `faqEntry`. */
function camelCase(type: string): string {
  return type.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (capitals) => capitals.toLowerCase());
}

import { cutName } from "../../runtime/values/schema/short-name.js";
import { resourceNamePattern } from "../kind/field.js";
import { namesOf } from "../model/names.js";
import { reservedResourceHint } from "../model/reserved-names.js";

/** A table or view by the names that the database gives it. */
interface Spelled {
  readonly schema: string;
  readonly name: string;
}

/**
 * Proposes a resource's name for each table, in their order: the table's in kebab-case, else with
 * its schema in front, else `table<n>`. `taken` are the names of resources that exist. The table
 * with the accounts is called `people`, if no resource has that name.
 */
export function resourceNames(
  tables: readonly Spelled[],
  taken: ReadonlySet<string>,
  ofAccounts: Spelled | null = null,
): readonly string[] {
  const used = new Set([...taken].flatMap(namesIn));
  const people = ofAccounts !== null && isFree("people", used) ? ofAccounts : null;
  if (people !== null) for (const one of namesIn("people")) used.add(one);
  let numbered = 0;
  return tables.map((table) => {
    if (table === people) return "people";
    const { schema, name } = table;
    const own = wordsOf(name).join("-");
    const usual = own === "users" ? "app-users" : own;
    const long = own === "" ? "" : [...wordsOf(schema), ...wordsOf(name)].join("-");
    let chosen = [usual, long].find((candidate) => isFree(candidate, used));
    while (chosen === undefined) {
      numbered += 1;
      chosen = [`table${numbered}`].find((candidate) => isFree(candidate, used));
    }
    for (const one of namesIn(chosen)) used.add(one);
    return chosen;
  });
}

function isFree(name: string, used: ReadonlySet<string>): boolean {
  return (
    resourceNamePattern.test(name) &&
    name.length <= maxName &&
    reservedResourceHint(name) === null &&
    !namesIn(name).some((one) => used.has(one))
  );
}

/** The resource's name, and those of its type and variable: `artist` and `artists` share these. */
function namesIn(name: string): readonly string[] {
  const { type, variable } = namesOf({ name, label: null, singular: null, table: null });
  return [name, `type ${type}`, `variable ${variable}`];
}

/**
 * Proposes a field's name for each column, in their order: the column's in camelCase, or
 * `column<attnum>` if that is empty, reserved, taken or the name of an earlier column.
 */
export function fieldNames(
  columns: readonly { readonly number: number; readonly name: string }[],
  taken: Iterable<string> = [],
): readonly string[] {
  const used = new Set<string>([...reservedFields, ...taken]);
  return columns.map(({ number, name }) => {
    const own = camelCase(wordsOf(name));
    let chosen = /^[a-z]/.test(own) && !used.has(own) ? own : `column${number}`;
    while (used.has(chosen)) chosen += "x";
    used.add(chosen);
    return chosen;
  });
}

/** What every record has besides its fields. */
const reservedFields = ["id", "createdAt", "updatedAt"];

/** PostgreSQL cuts names at 63 bytes; resources' and fields' names are ASCII and as long at most. */
const maxName = 63;

function camelCase([first = "", ...rest]: readonly string[]): string {
  const capitalized = rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return cutName([first, ...capitalized].join(""), maxName);
}

/**
 * The words of a name in lower case, accents dropped: `OrderID_größe` → `order id grosse`. None
 * if a letter has no ASCII form, as in Cyrillic.
 */
export function wordsOf(name: string): readonly string[] {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").replaceAll("ß", "ss");
  if (/[^\P{L}A-Za-z]/u.test(plain)) {
    return [];
  }
  const parted = plain
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2");
  return (parted.match(/[A-Za-z0-9]+/g) ?? []).map((word) => word.toLowerCase());
}

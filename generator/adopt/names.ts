import { cutName } from "../../runtime/values/schema/short-name.js";
import { resourceNamePattern } from "../kind/field.js";
import { namesOf } from "../model/names.js";
import { reservedResourceHint } from "../model/reserved-names.js";

/** The names of a table or view in the database. */
interface Spelled {
  readonly schema: string;
  readonly name: string;
}

/**
 * Proposes a resource name for each table, in the given order: the table's name in kebab-case, else prefixed with its
 * schema, else `table<n>`. `taken` contains the names of existing resources. The people table is named `people` if that
 * name is free.
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

/** Returns the resource's name and those of its type and variable, which collide for `artist` and `artists`. */
function namesIn(name: string): readonly string[] {
  const { type, variable } = namesOf({ name, label: null, singular: null, table: null });
  return [name, `type ${type}`, `variable ${variable}`];
}

/**
 * Proposes a field name for each column, in the given order: the column's name in camelCase. If that is empty,
 * reserved, taken or the name of an earlier column, it is `column<attnum>`.
 */
export function fieldNames(
  columns: readonly { readonly number: number; readonly name: string }[],
  taken: Iterable<string> = [],
): readonly string[] {
  const used = new Set<string>([...reservedFields, ...taken]);
  return columns.map(({ number, name }) => {
    const own = camelCase(wordsOf(name));
    const isFree = /^[a-z]/.test(own) && !used.has(own);
    return unusedName(isFree ? own : `column${number}`, used);
  });
}

/** Proposes a name for a list of the ids in a column: `filmIds` for `film_id` and `FilmId`. */
export function listName({ name, number }: { readonly number: number; readonly name: string }) {
  const [first = "", ...rest] = wordsOf(name);
  const words = [first, ...(rest.at(-1) === "id" ? rest.slice(0, -1) : rest)];
  const own = camelCase(words, maxName - ids.length);
  return `${/^[a-z]/.test(own) ? own : `column${number}`}${ids}`;
}

const ids = "Ids";

/** Returns the name, cut to the length of a field's, followed by `x` while it is taken. Adds it to `taken`. */
export function unusedName(wanted: string, taken: Set<string>): string {
  let name = cut(wanted);
  while (taken.has(name)) name = cut(`${name}x`);
  taken.add(name);
  return name;
}

/** Properties that every record has in addition to its fields. */
const reservedFields = ["id", "createdAt", "updatedAt"];

/** PostgreSQL truncates names to 63 bytes; names of resources and fields are ASCII and at most as long. */
const maxName = 63;

function camelCase([first = "", ...rest]: readonly string[], max = maxName): string {
  const capitalized = rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return cut([first, ...capitalized].join(""), max);
}

/** Shortens a name in camelCase, which has no `_` before its hash. */
function cut(name: string, max = maxName): string {
  return cutName(name, max).replace("_", "");
}

/**
 * Returns the words of a name in lower case without accents: `OrderID_größe` → `order id grosse`. Empty if a letter has
 * no ASCII form, as in Cyrillic.
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

import { clientName } from "../../../runtime/values/api/client-name.js";
import type {
  FoundColumn,
  FoundConstraint,
  FoundTable,
  FoundTarget,
} from "../catalogue/catalogue.js";
import { unusedName } from "../names.js";
import type { AdoptedField, FieldOptions, Remark } from "./adoption.js";
import { linkType } from "./column/types.js";

/** A table that links may reference. */
export interface LinkedTable {
  readonly table: Pick<FoundTable, "schema" | "name">;
  readonly resource: string;
  /** The name of the id column. */
  readonly keyColumn: string;
  /** Property names already used on its records. */
  readonly words: Iterable<string>;
}

/** An adopted table, with the names of its fields by column number. */
export interface TakenTable {
  readonly table: FoundTable;
  readonly resource: string;
  readonly key: FoundColumn;
  readonly names: ReadonlyMap<number, string>;
  /** The account column, if this is the people table; otherwise null. */
  readonly account: FoundColumn | null;
}

/** The options of each link, by table and column number. */
export type Links = ReadonlyMap<TakenTable, ReadonlyMap<number, FieldOptions>>;

/** Returns the property names used on the records of a resource, to which new ones are added. */
export type WordsOn = (resource: string) => Set<string>;

interface Link {
  readonly from: TakenTable;
  readonly column: FoundColumn;
  readonly to: LinkedTable;
  readonly onDelete: FoundTarget["onDelete"];
}

/**
 * Finds the foreign keys that become links: those of one column that reference the key of an adopted table or a table
 * with a resource. Also returns the property names used on records, including those of the links and their inverses.
 */
export function linksBetween(
  tables: readonly TakenTable[],
  existing: readonly LinkedTable[],
): { readonly links: Links; readonly wordsOn: WordsOn } {
  const isNew = ({ resource }: TakenTable) => existing.every((one) => one.resource !== resource);
  const targets = [...tables.filter(isNew).map(linkedTable), ...existing];
  const links = tables.flatMap((from) => linksFrom(from, targets));
  const required = requiredLinks(links);
  const wordsOn = recordWords([...tables.map(linkedTable), ...existing], links);
  const found = new Map<TakenTable, Map<number, FieldOptions>>();
  for (const link of links) {
    const { from, column, to, onDelete } = link;
    const isRequired = required.has(link);
    const options = {
      type: linkType,
      resource: to.resource,
      ...(isRequired && { required: true as const }),
      ...(isRequired && onDelete === "cascade" && { onDelete }),
      ...(!isRequired && refuses(onDelete) && { onDelete: "refuse" }),
      inverse: inverseOf(from.resource, fieldOf(link), wordsOn(to.resource)),
    };
    const own = found.get(from) ?? new Map<number, FieldOptions>();
    found.set(from, own.set(column.number, options));
  }
  return { links: found, wordsOn };
}

export function linkedTable({ table, resource, key, names, account }: TakenTable): LinkedTable {
  const words = [...names.values(), ...(account === null ? [] : ["account"])];
  return { table, resource, keyColumn: key.name, words };
}

/**
 * Returns remarks on the foreign keys that do not become links: those of several columns, of the key itself, or to a
 * table without a resource.
 */
export function unlinkedRemarks(
  { constraints, columns: all }: FoundTable,
  fields: readonly AdoptedField[],
): readonly Remark[] {
  return constraints.flatMap(
    ({ kind, name, definition, columns: [number, ...others] }): Remark[] => {
      const isLink = fields.some(
        ({ column, options }) => column.number === number && options.type === linkType,
      );
      if (kind !== "foreign" || (isLink && others.length === 0)) return [];
      const column = others.length > 0 ? undefined : all.find((one) => one.number === number);
      const why = `only the database checks ${name}: ${definition}`;
      return [{ column: column?.name ?? null, kind: "check", taken: false, why, way: null }];
    },
  );
}

/**
 * Returns remarks on optional links whose records the database deletes together with the record that they reference.
 */
export function cascadeRemarks(
  { constraints }: FoundTable,
  fields: readonly AdoptedField[],
): readonly Remark[] {
  return constraints.flatMap(({ columns, target }) => {
    const field = fields.find(({ column }) => column.number === columns[0]);
    const isLink = columns.length === 1 && field?.options.type === linkType;
    if (target?.onDelete !== "cascade" || !isLink || field.options.required) return [];
    const why = "the database deletes these records together with the one that they link to";
    const way =
      "if they need the link: alter the column to not null, and write required: true and onDelete: cascade";
    return [{ column: field.column.name, kind: "trigger" as const, taken: true, why, way }];
  });
}

function refuses(onDelete: Link["onDelete"]): boolean {
  return onDelete === "refuse" || onDelete === "default";
}

function linksFrom(from: TakenTable, tables: readonly LinkedTable[]): readonly Link[] {
  const seen = new Set<number>();
  return from.table.constraints.flatMap((constraint): readonly Link[] => {
    const to = targetOf(constraint, tables);
    const column = from.table.columns.find(({ number }) => number === constraint.columns[0]);
    if (to === null || column === undefined || !from.names.has(column.number)) return [];
    if (seen.has(column.number)) return [];
    seen.add(column.number);
    return [{ from, column, to, onDelete: constraint.target?.onDelete ?? "refuse" }];
  });
}

function targetOf(
  { kind, columns, target }: FoundConstraint,
  tables: readonly LinkedTable[],
): LinkedTable | null {
  if (kind !== "foreign" || target === null || columns.length !== 1) return null;
  const found = tables.find(
    ({ table, keyColumn }) =>
      table.schema === target.schema &&
      table.name === target.table &&
      keyColumn === target.columnNames[0],
  );
  return found ?? null;
}

/** Returns the links that every record must have, except those that would close a cycle. */
function requiredLinks(links: readonly Link[]): ReadonlySet<Link> {
  const required = new Set<Link>();
  const followed = new Map<string, string[]>();
  const reaches = (from: string, to: string, seen: Set<string>): boolean => {
    if (from === to) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return followed.get(from)?.some((next) => reaches(next, to, seen)) ?? false;
  };
  for (const link of links.filter(({ column }) => !column.isNullable)) {
    const [from, to] = [link.from.resource, link.to.resource];
    if (reaches(to, from, new Set())) continue;
    required.add(link);
    followed.set(from, [...(followed.get(from) ?? []), to]);
  }
  return required;
}

/** Returns a function for the property names of a resource's records: fields and linked records. */
function recordWords(tables: readonly LinkedTable[], links: readonly Link[]): WordsOn {
  const words = new Map<string, Set<string>>();
  const wordsOn = (resource: string) => {
    const known = words.get(resource) ?? new Set(everyRecord);
    words.set(resource, known);
    return known;
  };
  for (const { resource, words: own } of tables) {
    for (const word of own) wordsOn(resource).add(word);
  }
  for (const link of links) {
    const field = fieldOf(link);
    const own = wordsOn(link.from.resource);
    for (const word of [field, field.replace(/Id$/, ""), `${field}Record`]) own.add(word);
  }
  return wordsOn;
}

/** Words that are used on the records of each resource. */
const everyRecord = ["id", "createdAt", "updatedAt", "and", "or", "not"];

function fieldOf({ from, column }: Pick<Link, "from" | "column">): string {
  return from.names.get(column.number) ?? "";
}

/** Returns the linking resource in camelCase, followed by the field if that name is taken. Adds the name to `taken`. */
export function inverseOf(resource: string, field: string, taken: Set<string>): string {
  const own = clientName(resource);
  const long = `${own}By${field.charAt(0).toUpperCase()}${field.slice(1)}`;
  return unusedName(taken.has(own) ? long : own, taken);
}

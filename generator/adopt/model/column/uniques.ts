import type { FoundColumn, FoundIndex, FoundTable } from "../../catalogue/catalogue.js";
import type { AdoptedField, Remark } from "../adoption.js";
import { canBeTogether } from "./types.js";

export interface ReadUniques {
  /** Numbers of the columns whose values are unique. */
  readonly single: ReadonlySet<number>;
  /** The unique indexes on columns, except that of the key. */
  readonly indexes: readonly FoundIndex[];
  /** Remarks on what a descriptor cannot express: partial indexes, expressions, exclusions. */
  readonly remarks: readonly Remark[];
}

/** Reads the unique indexes and exclusions of a table, except the index of the key. */
export function readUniques(table: FoundTable, key: FoundColumn): ReadUniques {
  const unique = table.indexes.filter(({ isUnique }) => isUnique);
  const plain = unique.filter(({ isPartial, columns }) => !isPartial && !columns.includes(0));
  const indexes = plain.filter(({ columns }) => columns.join() !== String(key.number));
  const exclusions = table.constraints.filter(({ kind }) => kind === "exclusion");
  return {
    single: new Set(
      indexes.flatMap(({ columns: [first = 0, ...others] }) =>
        others.length === 0 ? [first] : [],
      ),
    ),
    indexes,
    remarks: [
      ...unique.filter((index) => !plain.includes(index)).map((index) => judged("unique", index)),
      ...exclusions.map((constraint) => judged("exclusion", constraint)),
    ],
  };
}

function judged(
  kind: "unique" | "exclusion",
  { name, definition }: Pick<FoundIndex, "name" | "definition">,
): Remark {
  const why = `only the database checks ${name}: ${definition}`;
  return { column: null, kind, taken: false, why, way: null };
}

/**
 * Returns the entries of `unique` for indexes on several columns, and remarks on indexes that no option of a descriptor
 * expresses.
 */
export function expressedUniques(
  { indexes }: ReadUniques,
  fields: readonly AdoptedField[],
): { readonly lists: readonly (readonly string[])[]; readonly remarks: readonly Remark[] } {
  const lists = new Map<string, readonly string[]>();
  const remarks: Remark[] = [];
  for (const index of indexes) {
    const found = index.columns.flatMap(
      (number) => fields.find(({ column }) => column.number === number) ?? [],
    );
    const isWhole = found.length === index.columns.length;
    const names = found.map(({ name }) => name);
    const canBeList =
      isWhole && found.every(({ options }) => canBeTogether(options) && options.readOnly !== true);
    const isField = found.length === 1 && isWhole && found[0]?.options.unique === true;
    if (isField) continue;
    if (names.length > 1 && canBeList) lists.set([...names].sort().join(), names);
    else remarks.push(judged("unique", index));
  }
  return { lists: [...lists.values()], remarks };
}

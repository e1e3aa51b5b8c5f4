import type { Change } from "./change-kinds.js";
import { objectName } from "./object-names.js";
import type { Schema, Table, Words, WordsField } from "./schema.js";
import { plainName } from "./short-name.js";

/** The name of the table with the words, in the schema `service`. */
export function wordsName(table: string): string {
  return objectName(table, "words");
}

export function wordsIndexName(table: string): string {
  return objectName(table, "words", "index");
}

/** The name of the trigger on a linked table. */
export function wordsTriggerName(table: string, linkColumn: string): string {
  return objectName(table, plainName(linkColumn), "words");
}

/** The tables whose words can no longer be indexed, because a change drops or replaces a source of them. */
export function tablesLosingWords({ tables }: Schema, change: Change): readonly string[] {
  if (!removing.has(change.kind)) return [];
  return tables.filter((table) => losesWords(table, change)).map(({ name }) => name);
}

function losesWords({ name, words }: Table, change: Change): boolean {
  if (words === undefined) return false;
  switch (change.kind) {
    case "dropTable":
      return name === change.table || words.fields.some(({ link }) => link?.table === change.table);
    case "dropColumn":
      return reads({ name, words }, change.table, change.column);
    case "replaceColumn":
      return reads({ name, words }, change.table, change.column.name);
    default:
      return false;
  }
}

function reads(
  { name, words }: { readonly name: string; readonly words: Words },
  table: string,
  column: string,
): boolean {
  const isOwn = name === table;
  return (
    (isOwn && words.languageColumn === column) ||
    words.fields.some(({ column: own, link }) =>
      link === null
        ? isOwn && own === column
        : (isOwn && link.column === column) || (link.table === table && own === column),
    )
  );
}

const removing: ReadonlySet<Change["kind"]> = new Set(["dropTable", "dropColumn", "replaceColumn"]);

/** The kinds of changes that may change which words are indexed. */
const changing: ReadonlySet<Change["kind"]> = new Set([...removing, "renameTable", "renameColumn"]);

/**
 * The tables after the change: words that can no longer be indexed are removed, and renamed sources have their new
 * names.
 */
export function withWordsAfter(
  tables: readonly Table[],
  former: Schema,
  change: Change,
): readonly Table[] {
  // For speed, since a first migration may have thousands of other changes.
  if (!changing.has(change.kind)) return tables;
  return tables.map((table) => wordsAfter(table, former, change));
}

function wordsAfter(table: Table, former: Schema, change: Change): Table {
  const { words, ...others } = table;
  if (words === undefined) return table;
  const name =
    change.kind === "renameTable" && table.name === change.to.name ? change.table : table.name;
  if (tablesLosingWords(former, change).includes(name)) return others;
  const renamed = renamedWords({ name, words }, change);
  return renamed === words ? table : { ...table, words: renamed };
}

function renamedWords(
  { name, words }: { readonly name: string; readonly words: Words },
  change: Change,
): Words {
  if (change.kind === "renameTable") {
    const fields = words.fields.map((field): WordsField => {
      const { link } = field;
      if (link?.table !== change.table) return field;
      return { ...field, link: { ...link, table: change.to.name } };
    });
    return { ...words, fields };
  }
  if (change.kind !== "renameColumn") return words;
  const { table, column: former, to } = change;
  const renamed = (column: string) => (column === former ? to.name : column);
  const isOwn = name === table;
  return {
    ...words,
    languageColumn: isOwn && words.languageColumn === former ? to.name : words.languageColumn,
    fields: words.fields.map((field): WordsField => {
      const { column, link } = field;
      if (link === null) return isOwn ? { ...field, column: renamed(column) } : field;
      return {
        ...field,
        column: link.table === table ? renamed(column) : column,
        link: isOwn ? { ...link, column: renamed(link.column) } : link,
      };
    }),
  };
}

import { applyChange } from "../../../../runtime/values/schema/change.js";
import type { Change, ChangeOf } from "../../../../runtime/values/schema/change-kinds.js";
import { entriesName } from "../../../../runtime/values/schema/object-names.js";
import {
  idColumnOf,
  type Schema,
  tableIn,
  type Words,
  type WordsLink,
} from "../../../../runtime/values/schema/schema.js";
import {
  tablesLosingWords,
  wordsIndexName,
  wordsName,
  wordsTriggerName,
} from "../../../../runtime/values/schema/words.js";
import { sqlIdentifier, sqlLines, sqlLiteral } from "../../../../runtime/values/sql/text.js";
import { type Step, transaction } from "../step.js";
import { call } from "../table.js";

/**
 * Starts, changes or stops the indexing of words. First, triggers index new words; then the words of existing rows are
 * indexed while servers run.
 */
export function setWords(
  schema: Schema,
  { table, to }: ChangeOf<"setWords">,
  { isCreated }: { readonly isCreated: boolean },
): readonly Step[] {
  const group = `${table}, words`;
  if (to === null) return [transaction(group, [stopWords(table)])];
  const names = [table, wordsName(table)].map(sqlLiteral);
  const definition = definitionOf(schema, table, to);
  if (isCreated) {
    const statements = [call("start_words", ...names, definition), `create ${wordsIndex(table)};`];
    return [transaction(group, statements)];
  }
  const fill: Step = {
    kind: "batches",
    table,
    statement: `call service.fill_words(${sqlLiteral(table)}, $1, $2);`,
  };
  if (tableIn(schema, table).words !== undefined) {
    return [transaction(group, [call("change_words", sqlLiteral(table), definition)]), fill];
  }
  return [
    transaction(group, [call("start_words", ...names, definition)]),
    fill,
    {
      kind: "index",
      name: wordsIndexName(table),
      extension: null,
      statement: `create ${wordsIndex(table, "concurrently ")};`,
    },
  ];
}

/** Stops the indexing of words before a change that makes it impossible. */
export function withoutWords(schema: Schema, change: Change): readonly Step[] {
  return tablesLosingWords(schema, change).map((table) =>
    transaction(`${table}, words`, [stopWords(table)]),
  );
}

/** Renames tables and columns in the word indexes of all tables. */
export function renameWords(
  schema: Schema,
  change: ChangeOf<"renameTable"> | ChangeOf<"renameColumn">,
): readonly string[] {
  const after = applyChange(schema, change);
  return schema.tables.flatMap(({ name: former, words }) => {
    if (words === undefined) return [];
    const isRenamed = change.kind === "renameTable" && former === change.table;
    const table = isRenamed ? change.to.name : former;
    const { words: present = words } = tableIn(after, table);
    if (former === table && JSON.stringify(present) === JSON.stringify(words)) return [];
    const names = [former, table, wordsName(table)].map(sqlLiteral);
    return [
      call("rename_words", ...names, definitionOf(after, table, present)),
      ...(former === table
        ? []
        : [
            `alter index if exists service.${sqlIdentifier(wordsIndexName(former))} rename to ${sqlIdentifier(wordsIndexName(table))};`,
          ]),
    ];
  });
}

function stopWords(table: string): string {
  return call("stop_words", sqlLiteral(table));
}

/**
 * Returns the definition of the index, after `create`. Each search scans the list of pending entries, which is
 * therefore limited.
 */
function wordsIndex(table: string, how: "concurrently " | "" = ""): string {
  return [
    `index ${how}${sqlIdentifier(wordsIndexName(table))} on service.${sqlIdentifier(wordsName(table))}`,
    "using gin (vector) with (gin_pending_list_limit = 1024)",
  ].join("\n  ");
}

/** Returns the definition for the package's procedures, with a field on each line. */
function definitionOf(schema: Schema, table: string, { fields, ...others }: Words): string {
  const lines = fields.map((field) => {
    return `    ${JSON.stringify({ ...field, link: field.link && linkOf(schema, table, field.link) })}`;
  });
  const head = Object.entries({ ...others, ...idOf(schema, table) }).map(
    ([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},`,
  );
  return sqlLines([`{`, ...head, `  "fields": [`, lines.join(",\n"), "  ]", "}"].join("\n"));
}

function linkOf(schema: Schema, table: string, { list, ...link }: WordsLink) {
  return {
    ...link,
    ...idOf(schema, link.table),
    ...(list && { entries: entriesName(table, link.column) }),
    trigger: wordsTriggerName(table, link.column),
  };
}

/** The column of the table's ids, if it is not `id`. */
function idOf(schema: Schema, table: string): { readonly id?: string } {
  const { name } = idColumnOf(tableIn(schema, table));
  return name === "id" ? {} : { id: name };
}

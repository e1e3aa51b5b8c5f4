import { idColumnOf, type Schema, type Table, tableIn } from "../../values/schema/schema.js";
import { wordsName, wordsTriggerName } from "../../values/schema/words.js";
import { qualifiedTable } from "../../values/sql/table-name.js";
import { quotedText, sqlIdentifier } from "../../values/sql/text.js";
import type { ExpectedTrigger } from "./expected.js";

/** The triggers that `service.write_words` creates. */
export function wordsTriggers(schema: Schema, table: Table): readonly ExpectedTrigger[] {
  const { name, words } = table;
  if (words === undefined) return [];
  const own = `service.${sqlIdentifier(wordsName(name))}()`;
  const { fields, languageColumn } = words;
  const columns = new Set([
    idColumnOf(table).name,
    ...(languageColumn === null ? [] : [languageColumn]),
    ...fields.map(({ column, link }) => link?.column ?? column),
  ]);
  const trigger = (event: string, how: string): ExpectedTrigger => ({
    table: name,
    name: `words_${event.toLowerCase()}`,
    definition: `AFTER ${event} ON ${qualifiedTable(name)} ${how} EXECUTE FUNCTION ${own}`,
  });
  return [
    trigger("INSERT", "FOR EACH ROW"),
    trigger("UPDATE", `FOR EACH ROW WHEN (${changed([...columns])})`),
    trigger("DELETE", "FOR EACH ROW"),
    trigger("TRUNCATE", "FOR EACH STATEMENT"),
    ...linkTriggers(schema, { name, words }),
  ];
}

function linkTriggers(schema: Schema, { name, words }: Required<Pick<Table, "name" | "words">>) {
  const links = new Map(
    words.fields.flatMap(({ link }) =>
      link === null ? [] : ([[link.column, link.table]] as const),
    ),
  );
  return [...links].map(([column, table]): ExpectedTrigger => {
    const read = words.fields.filter(({ link }) => link?.column === column);
    const columns = [...new Set(read.map((field) => field.column))];
    const id = idColumnOf(tableIn(schema, table)).name;
    const named = [name, column, ...(id === "id" ? [] : [id])].map(quotedText);
    const to = `service.index_linking(${named.join(", ")})`;
    return {
      ...{ table, name: wordsTriggerName(name, column) },
      definition: `AFTER UPDATE ON ${qualifiedTable(table)} FOR EACH ROW WHEN (${changed(columns)}) EXECUTE FUNCTION ${to}`,
    };
  });
}

/** The condition as PostgreSQL prints it. */
function changed(columns: readonly string[]): string {
  const parts = columns.toSorted().map((column) => {
    const named = sqlIdentifier(column);
    return `(old.${named} IS DISTINCT FROM new.${named})`;
  });
  return parts.length === 1 ? `${parts[0]}` : `(${parts.join(" OR ")})`;
}

import { createEntries, createIndex, entriesIndex } from "../../values/schema/definitions.js";
import {
  entriesFunction,
  entriesName,
  jointDeletesTrigger,
  linkName,
} from "../../values/schema/object-names.js";
import type { Entries, Table } from "../../values/schema/schema.js";
import { qualifiedTable } from "../../values/sql/table-name.js";
import { quotedText, sqlIdentifier } from "../../values/sql/text.js";
import type { ExpectedTable, ExpectedTrigger } from "./expected.js";

/** The tables with the entries of a table's lists of links and lists of files. */
export function entriesTables({ name: table, columns }: Table): readonly ExpectedTable[] {
  return columns.flatMap(({ name: column, entries: to }): ExpectedTable[] => {
    if (to === undefined) return [];
    const name = entriesName(table, column);
    const own = { schema: "public", table, column: "id", onDelete: "cascade" } as const;
    const target = { ...to, column: to.column ?? "id" };
    return [
      {
        name,
        temporary: [createEntries(name, to, "temporary "), createIndex(name, entriesIndex)].join(
          "\n",
        ),
        links: [
          { ...own, name: linkName(name, "record_id"), from: "record_id" },
          { ...target, name: linkName(name, "target_id"), from: "target_id" },
        ],
        ...{ tally: null, search: null, logged: null, key: null, trash: false, followed: false },
        triggers: triggersOfEntries(name, { column, to }),
      },
    ];
  });
}

/** The triggers that `service.keep_entries` creates on a table with lists of links or files. */
export function entriesTriggers({ name: table, columns }: Table): readonly ExpectedTrigger[] {
  return columns.flatMap(({ name: column, entries: to }): ExpectedTrigger[] => {
    if (to === undefined) return [];
    const entries = entriesName(table, column);
    const on = `ON ${qualifiedTable(table)} FOR EACH ROW WHEN`;
    const list = `service.${sqlIdentifier(entriesFunction(entries, "list"))}()`;
    const [now, former] = [`new.${sqlIdentifier(column)}`, `old.${sqlIdentifier(column)}`];
    const isOfFiles = to.column !== undefined;
    const isFull = `(${now} <> '{}'::${isOfFiles ? "text" : "uuid"}[])`;
    const named = [column, entries].map(quotedText).join(", ");
    const isRestored = "(current_setting('service.trash'::text, true) = 'restore'::text)";
    return [
      {
        ...{ table, name: entriesFunction(entries, "insert") },
        definition: `AFTER INSERT ${on} (${isFull}) EXECUTE FUNCTION ${list}`,
      },
      {
        ...{ table, name: entriesFunction(entries, "update") },
        definition: `AFTER UPDATE ${on} ((${now} <> ${former})) EXECUTE FUNCTION ${list}`,
      },
      ...(isOfFiles
        ? []
        : [
            {
              ...{
                table,
                name: entriesFunction(entries, "restore"),
                needs: "service.restore_list()",
              },
              definition: `BEFORE INSERT ${on} ((${isFull} AND ${isRestored})) EXECUTE FUNCTION service.restore_list(${named})`,
            },
            ...jointDeletes(to, { entries, table }),
          ]),
    ];
  });
}

/** The trigger that refuses to delete the targets of a list; triggers of other schemas are not compared. */
function jointDeletes(
  { schema, table: target, onDelete }: Entries,
  { entries, table }: { readonly entries: string; readonly table: string },
): readonly ExpectedTrigger[] {
  if (schema !== "public" || onDelete !== "no action") return [];
  const named = [entries, table].map(quotedText).join(", ");
  return [
    {
      ...{
        table: target,
        name: jointDeletesTrigger(entries),
        needs: "service.delete_joint_entries()",
      },
      definition: `AFTER DELETE ON ${qualifiedTable(target)} FOR EACH ROW EXECUTE FUNCTION service.delete_joint_entries(${named})`,
    },
  ];
}

function triggersOfEntries(
  table: string,
  { column, to }: { readonly column: string; readonly to: Entries },
): readonly ExpectedTrigger[] {
  const own = `service.${sqlIdentifier(entriesFunction(table, "record"))}()`;
  const deleted = `AFTER DELETE ON ${qualifiedTable(table)} REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION`;
  const trigger = (name: string, event: string, rows: string): ExpectedTrigger => ({
    ...{ table, name: `entries_${name}` },
    definition: `AFTER ${event} ON ${qualifiedTable(table)} ${rows}FOR EACH STATEMENT EXECUTE FUNCTION ${own}`,
  });
  return [
    trigger("insert", "INSERT", "REFERENCING NEW TABLE AS new_rows "),
    trigger("update", "UPDATE", "REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows "),
    trigger("delete", "DELETE", "REFERENCING OLD TABLE AS old_rows "),
    trigger("truncate", "TRUNCATE", ""),
    to.column === undefined
      ? {
          ...{ table, name: "entries_trash", needs: "service.keep_deleted_entries()" },
          definition: `${deleted} service.keep_deleted_entries(${quotedText(column)})`,
        }
      : {
          ...{ table, name: "entries_files", needs: "service.keep_deleted_files()" },
          definition: `${deleted} service.keep_deleted_files()`,
        },
  ];
}

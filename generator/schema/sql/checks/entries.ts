import type { ChangeOf } from "../../../../runtime/values/schema/change-kinds.js";
import { columnIn, type Schema, tableIn } from "../../../../runtime/values/schema/schema.js";
import { conversion } from "../../changes/convert.js";
import { type Origins, strangersOf } from "../../changes/origins.js";
import { linkTarget } from "../table.js";
import { type CheckStep, check, formerColumn } from "./former-column.js";

/** Counts rows whose values become a list of files, but are not keys of uploads. */
export function entriesChecks(
  schema: Schema,
  change: ChangeOf<"setEntries">,
  origins: Origins,
): readonly CheckStep[] {
  const { table, column, to } = change;
  const stored = formerColumn(change, origins);
  const before = strangersOf(change, origins);
  if (stored === null || before === null || to === null) return [];
  const { value } = conversion(before, columnIn(tableIn(schema, table), column));
  return [
    check(
      `${stored.rows} hold a "${column}" that refers to nothing in ${to.table}`,
      [
        `select ${stored.id}, ${stored.value} from ${stored.from} as _row`,
        "where exists (",
        `  select from unnest(${value(`_row.${stored.value}`)}) as _listed (key)`,
        "  where not exists (",
        `    select from ${linkTarget(to)} as _target`,
        `    where _target.${to.column} = _listed.key collate "C"`,
        "  )",
        ")",
      ].join("\n"),
    ),
  ];
}

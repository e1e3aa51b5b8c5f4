import type { Change, ChangeOf } from "../../../../runtime/values/schema/change-kinds.js";
import { type Check, checkCondition, isNarrower } from "../../../../runtime/values/schema/check.js";
import { isMerge } from "../../../../runtime/values/schema/renamed-value.js";
import type { Link } from "../../../../runtime/values/schema/schema.js";
import {
  type Column,
  columnIn,
  type Index,
  isSameTarget,
  isUniqueAlready,
  type Schema,
  tableIn,
} from "../../../../runtime/values/schema/schema.js";
import { sqlIdentifier } from "../../../../runtime/values/sql/text.js";
import {
  acceptedCondition,
  conversion,
  describeColumn,
  isUnconvertible,
} from "../../changes/convert.js";
import { isList } from "../../changes/lists.js";
import type { Origins } from "../../changes/origins.js";
import { followedValues } from "../../changes/origins.js";
import { idSql } from "../table.js";
import { empty, emptyList } from "./empty.js";
import { entriesChecks } from "./entries.js";
import { type CheckStep, check, formerColumn } from "./former-column.js";
import { dependantChecks } from "./loss.js";
import { renamedSql, withFormerValues } from "./renamed-values.js";
import { heldBySeveral } from "./repeated.js";
import { deadLinksSql } from "./statements.js";

/**
 * Returns checks that, before a migration, count the rows that the change would fail on or damage. They use the names
 * before the first step.
 */
export function checksOf(schema: Schema, change: Change, origins: Origins): readonly CheckStep[] {
  switch (change.kind) {
    case "addColumn":
      return newColumnChecks(change, origins);
    case "replaceColumn":
      return [
        ...dependantChecks(change.table, change.column.name, origins),
        ...replacementChecks(schema, change, origins),
      ];
    case "dropColumn":
      return dependantChecks(change.table, change.column, origins);
    case "renameValue":
      return mergedValueChecks(schema, change, origins);
    case "setRequired":
      return requiredChecks(schema, change, origins);
    case "setCheck":
      return ruleChecks(schema, change, origins);
    case "setLink":
      return linkChecks(schema, change, origins);
    case "setEntries":
      return entriesChecks(schema, change, origins);
    case "createIndex":
      if (isUniqueAlready(tableIn(schema, change.table), change.index)) return [];
      return uniqueChecks(change.table, change.index, {
        origins,
        valueAt: (column) => valueBefore({ schema, origins }, change.table, column),
      });
    default:
      return [];
  }
}

function newColumnChecks(
  { table, column }: ChangeOf<"addColumn">,
  origins: Origins,
): readonly CheckStep[] {
  const former = origins.formerTable(table);
  if (former === null || !column.required || column.default !== null) return [];
  return [
    check(
      `rows of ${former.name} would have no "${column.name}", which is required and has no default`,
      `select ${idSql(former)} from ${sqlIdentifier(former.name)}`,
    ),
  ];
}

/** Returns checks for values that are merged under one name and may belong to rows that are otherwise equal. */
function mergedValueChecks(
  schema: Schema,
  change: ChangeOf<"renameValue">,
  origins: Origins,
): readonly CheckStep[] {
  const table = tableIn(schema, change.table);
  const column = columnIn(table, change.column);
  const stored = formerColumn(change, origins);
  if (stored === null || !isMerge(column, change)) return [];
  const renamed = followedValues(origins.values(table.name, column.name), change);
  const valueAt = (name: string) =>
    name === column.name
      ? renamedSql(stored.value, renamed)
      : valueBefore({ schema, origins }, change.table, name);
  return table.indexes
    .filter(({ keys }) => keys.some((key) => key.column === column.name))
    .flatMap((index) => uniqueChecks(change.table, index, { origins, valueAt }));
}

function requiredChecks(
  schema: Schema,
  change: ChangeOf<"setRequired">,
  origins: Origins,
): readonly CheckStep[] {
  const stored = formerColumn(change, origins);
  const table = tableIn(schema, change.table);
  const column = columnIn(table, change.column);
  if (stored === null || !change.to) return [];
  if (column.default === null) return [empty(stored, change)];
  // The default replaces nulls, so several rows may have it.
  const valueAt = (name: string) =>
    name === column.name
      ? withDefault({ ...column, required: true }, stored.value)
      : valueBefore({ schema, origins }, change.table, name);
  return table.indexes
    .filter(({ keys }) => keys.some((key) => key.column === column.name))
    .flatMap((index) => uniqueChecks(change.table, index, { origins, valueAt }));
}

function ruleChecks(
  schema: Schema,
  change: ChangeOf<"setCheck">,
  origins: Origins,
): readonly CheckStep[] {
  const stored = formerColumn(change, origins);
  const column = columnIn(tableIn(schema, change.table), change.column);
  if (stored === null || change.to === null || !isNarrower(column.check, change.to)) return [];
  const { from, value, rows, id } = stored;
  const about = `${rows} hold a "${change.column}" ${ruleBroken(change.to)}`;
  const renamed = origins.values(change.table, change.column);
  const broken = `not (${checkCondition(value, withFormerValues(change.to, renamed))})`;
  return [check(about, `select ${id}, ${value} from ${from} where ${broken}`)];
}

/** Describes how a value violates the check, without an enum's values, which may be any strings. */
function ruleBroken(check: Check): string {
  if (check.rule === "values") return "that is no longer one of its values";
  if (check.rule === "range") return "outside its new bounds";
  if (check.rule === "list") return "that is not a valid list";
  return `that is not ${check.least} to ${check.most} characters long`;
}

function linkChecks(
  schema: Schema,
  { table, column, to }: ChangeOf<"setLink">,
  origins: Origins,
): readonly CheckStep[] {
  const { link } = columnIn(tableIn(schema, table), column);
  if (to === null || isSameTarget(link, to)) return [];
  return deadLinkChecks({ table, column }, to, { origins });
}

function deadLinkChecks(
  of: { readonly table: string; readonly column: string },
  link: Link,
  { origins, converted }: { readonly origins: Origins; readonly converted?: string },
): readonly CheckStep[] {
  const stored = formerColumn(of, origins);
  if (stored === null) return [];
  const target = link.schema === "public" ? origins.table(link.table) : link.table;
  const to = target === null ? null : { ...link, table: target };
  const about = `${stored.rows} hold a "${of.column}" that refers to nothing in ${link.table}`;
  return [check(about, deadLinksSql(stored, to, converted ?? stored.value))];
}

function replacementChecks(
  schema: Schema,
  { table, column, indexes }: ChangeOf<"replaceColumn">,
  origins: Origins,
): readonly CheckStep[] {
  const of = { table, column: column.name };
  const stored = formerColumn(of, origins);
  if (stored === null) return [];
  const { from, value, rows, id } = stored;
  const former = columnIn(tableIn(schema, table), column.name);
  const keepsNothing = isUnconvertible(former, column);
  const fits = keepsNothing ? "false" : acceptedCondition(former, column, value);
  const steps: CheckStep[] = [];
  if (fits !== null) {
    const about = `${rows} hold a "${column.name}" that cannot become ${describeColumn(column)}`;
    const unfit = keepsNothing ? "" : ` and not (${fits})`;
    const statement = `select ${id}, ${value} from ${from}\nwhere ${value} is not null${unfit}`;
    steps.push(check(about, statement));
  }
  if (column.required && column.default === null) {
    if (!former.required) steps.push(empty(stored, of));
    else if (isList(former) && !isList(column)) steps.push(emptyList(stored, of));
  }
  const converted = keepsNothing ? null : ifReadable(former, column, value);
  if (column.link !== null && converted !== null)
    steps.push(...deadLinkChecks(of, column.link, { origins, converted }));
  for (const index of indexes) {
    const valueAt = (name: string) =>
      name === column.name
        ? valueAfter(column, converted)
        : valueBefore({ schema, origins }, table, name);
    steps.push(...uniqueChecks(table, index, { origins, valueAt }));
  }
  return steps;
}

/** The column's value after the conversion; null for a null value. */
function valueAfter(column: Column, converted: string | null): string | null {
  if (converted !== null) return withDefault(column, converted);
  return column.required ? column.default : null;
}

/** Returns SQL of the converted value; null for a value that a separate check counts as unreadable. */
function ifReadable(former: Column, column: Column, value: string): string {
  const { value: converted, readable } = conversion(former, column);
  return readable === null
    ? converted(value)
    : `case when ${readable(value)} then ${converted(value)} end`;
}

function uniqueChecks(
  table: string,
  index: Index,
  { origins, valueAt }: { readonly origins: Origins; valueAt(column: string): string | null },
): readonly CheckStep[] {
  const { unique, keys } = index;
  const former = origins.table(table);
  const values = new Map(
    keys.flatMap(({ column }) => {
      const value = valueAt(column);
      return value === null ? [] : [[column, value] as const];
    }),
  );
  if (!unique || former === null || values.size < keys.length) return [];
  return [heldBySeveral(former, index, values)];
}

/** The column's value before the migration; for a new column its default, or null. */
function valueBefore(
  { schema, origins }: { readonly schema: Schema; readonly origins: Origins },
  table: string,
  name: string,
) {
  const former = origins.column(table, name);
  const column = columnIn(tableIn(schema, table), name);
  if (former === null) return column.default;
  return withDefault(column, renamedSql(sqlIdentifier(former), origins.values(table, name)));
}

function withDefault({ required, default: defaultValue }: Column, value: string): string {
  return required && defaultValue !== null ? `coalesce(${value}, ${defaultValue})` : value;
}

import { applyChange, tableOf } from "../../../runtime/values/schema/change.js";
import type { Change, ChangeOf } from "../../../runtime/values/schema/change-kinds.js";
import { isNarrower } from "../../../runtime/values/schema/check.js";
import { valuesOf } from "../../../runtime/values/schema/renamed-value.js";
import type { Link } from "../../../runtime/values/schema/schema.js";
import {
  type Column,
  columnIn,
  type Index,
  isSameTarget,
  isUniqueAlready,
  type Schema,
  type Table,
  tableIn,
} from "../../../runtime/values/schema/schema.js";
import { kindNamed } from "../../kind/kinds.js";
import { isOfAdopted } from "./adopted.js";
import { describeColumn, isNarrowing } from "./convert.js";
import { isList } from "./lists.js";
import { type Found, lostTrash, lostValues, movedHazards } from "./losses.js";
import { newOrigins, type Origins, strangersOf } from "./origins.js";

/** A change that may lose data, or that existing data may prevent. */
export interface Hazard {
  /** The resource's name after the change; the old name if it is dropped. */
  readonly resource: string;
  /** The field concerned; null for the whole resource. */
  readonly field: string | null;
  /** Every name that the user may use for the resource and the field, including those before a rename. */
  readonly resources: readonly string[];
  readonly fields: readonly string[];
  /** A sentence without its final period. */
  readonly what: string;
  readonly isDrop: boolean;
  /** The table's name after the renames. */
  readonly table: string;
  readonly column: Column | null;
}

/** The hazards that need the user's consent. */
export function hazardsOf(before: Schema, changes: readonly Change[]): readonly Hazard[] {
  const origins = newOrigins(before);
  const hazards: Hazard[] = [];
  let schema = before;
  for (const change of changes) {
    const name = tableOf(change);
    const former = origins.formerTable(name);
    if (change.kind !== "createTable" && former !== null && !isOfAdopted(schema, change)) {
      const table = tableIn(schema, name);
      const moved = movedHazards(schema, change, changes);
      for (const found of moved ?? hazardsIn(table, change, origins)) {
        const { columns, what, isDrop, part } = found;
        const names = namesOf(columns, { table, former, origins });
        const named = part === undefined ? names : { ...names, field: part, fields: [part] };
        hazards.push({ what, isDrop, table: name, column: columns[0] ?? null, ...named });
      }
    }
    schema = applyChange(schema, change);
    origins.follow(change);
  }
  return hazards;
}

interface Names {
  readonly table: Table;
  readonly former: Table;
  readonly origins: Origins;
}

function namesOf(columns: readonly Column[], { table, former, origins }: Names) {
  const before = columns.flatMap(({ name }) => {
    const origin = origins.column(table.name, name);
    return origin === null ? [] : [columnIn(former, origin)];
  });
  return {
    resource: table.resource,
    field: columns[0]?.field ?? null,
    resources: [table.resource, former.resource],
    fields: [...columns, ...before].flatMap(({ field }) => field ?? []),
  };
}

function hazardsIn(table: Table, change: Change, origins: Origins): readonly Found[] {
  switch (change.kind) {
    case "dropTable": {
      const what = `the records of "${table.resource}" would be lost`;
      return [{ columns: [], what, isDrop: true }];
    }
    case "dropColumn":
      return [lostValues(columnIn(table, change.column))];
    case "replaceColumn":
      return replacementHazards(table, change);
    case "setRequired":
      return change.to ? [requiredHazard(columnIn(table, change.column))] : [];
    case "setCheck":
      return checkHazards(columnIn(table, change.column), change);
    case "setLink":
      return linkHazards(columnIn(table, change.column), change.to);
    case "setEntries": {
      const column = columnIn(table, change.column);
      if (change.to === null || strangersOf(change, origins) === null) return [];
      return [found(column, nothingThere(column.field, change.to))];
    }
    case "setTrash":
      return change.to ? [] : [lostTrash];
    case "createIndex":
      return uniqueHazards(table, change.index, (name) => isEmpty(table, name, origins));
    default:
      return [];
  }
}

function found(column: Column, what: string): Found {
  return { columns: [column], what, isDrop: false };
}

function replacementHazards(
  table: Table,
  { column, indexes }: ChangeOf<"replaceColumn">,
): readonly Found[] {
  const former = columnIn(table, column.name);
  const isShortened = isList(former) && !isList(column);
  const may = isShortened
    ? `only the first element of "${column.field}" would be kept`
    : `values of "${column.field}" may not be convertible to ${describeColumn(column)}`;
  return [
    ...(isNarrowing(former, column) ? [found(column, may)] : []),
    ...(becomesRequired(former, column) ? [requiredHazard(column)] : []),
    ...(isOfFiles(former) ? [] : linkHazards({ ...column, link: former.link }, column.link)),
    ...indexes.flatMap((index) => uniqueHazards(table, index, () => false)),
  ];
}

function isOfFiles({ kind }: Column): boolean {
  return kind !== null && kindNamed(kind).isFile;
}

/**
 * Whether the column becomes required. Rows without a value get an empty list, unless a list needs at least one
 * element.
 */
function becomesRequired(former: Column, column: Column): boolean {
  if (!column.required) return false;
  if (isList(column)) return !former.required && column.default === null;
  return !former.required || isList(former);
}

function requiredHazard(column: Column): Found {
  return found(column, `"${column.field}" becomes required, but may be empty in some rows`);
}

function checkHazards(column: Column, { to }: ChangeOf<"setCheck">): readonly Found[] {
  const { check, field } = column;
  if (!isNarrower(check, to)) return [];
  if (check?.rule === "length" && to?.rule === "length" && refusesEmptyOnly(check, to)) return [];
  const [before, after] = [valuesOf(column), valuesOf({ check: to })];
  if (before !== null && after !== null && before.some((value) => !after.includes(value))) {
    const removed = before.filter((value) => !after.includes(value));
    const list = removed.map((value) => `"${value}"`).join(", ");
    return [found(column, `records may have ${list} as "${field}"`)];
  }
  return [found(column, `values of "${field}" may break the narrower rule`)];
}

interface Lengths {
  readonly least: number;
  readonly most: number;
}

/** Whether the new limits only exclude "", which an optional string never equals. */
function refusesEmptyOnly(from: Lengths, to: Lengths): boolean {
  return from.least === 0 && to.least === 1 && to.most >= from.most;
}

function linkHazards(column: Column, to: Link | null): readonly Found[] {
  const { link, field } = column;
  if (to === null || isSameTarget(link, to)) return [];
  return [found(column, nothingThere(field, to))];
}

function nothingThere(field: string | null, { table }: Pick<Link, "table">): string {
  return `values of "${field}" may refer to nothing in ${table}`;
}

function uniqueHazards(
  table: Table,
  index: Index,
  isEmptyColumn: (name: string) => boolean,
): readonly Found[] {
  const { unique, keys, expression } = index;
  const isGiven = isUniqueAlready(table, index);
  const columns = keys.map(({ column }) => columnIn(table, column));
  if (!unique || isGiven || expression !== undefined) return [];
  if (columns.some(({ name }) => isEmptyColumn(name))) return [];
  const names = columns.map(({ field, name }) => `"${field ?? name}"`).join(", ");
  return [{ columns, what: `values of ${names} may repeat`, isDrop: false }];
}

/** Whether the column is new and has no default, so that all values are null, which may repeat. */
function isEmpty(table: Table, name: string, origins: Origins): boolean {
  return origins.column(table.name, name) === null && columnIn(table, name).default === null;
}

import { applyChange, type Change, type ChangeOf, tableOf } from "./change.js";
import { isNarrower } from "./check.js";
import { isNarrowing } from "./convert.js";
import { type Column, columnIn, type Schema, type Table, tableIn } from "./schema.js";

/** A change that may lose data, or that the data that is there may forbid. */
export interface Hazard {
  /** By its name after the change; one that goes by the name it had. */
  readonly resource: string;
  /** Null where it is about the whole resource. */
  readonly field: string | null;
  /** Other names by which the user may speak of the two: those before a rename. */
  readonly formerResource: string;
  readonly formerField: string | null;
  /** In words, a sentence of its own without its full stop. */
  readonly what: string;
  readonly isDrop: boolean;
}

/** What `generate` asks the user's consent for. */
export function hazardsOf(before: Schema, changes: readonly Change[]): readonly Hazard[] {
  const created = new Set<string>();
  const formerTables = new Map(before.tables.map(({ name, resource }) => [name, resource]));
  const formerFields = new Map<string, string>();
  const empty = new Set<string>();
  let schema = before;
  const hazards: Hazard[] = [];
  for (const change of changes) {
    const name = tableOf(change);
    if (change.kind === "createTable") created.add(name);
    if (change.kind === "renameTable") {
      formerTables.set(change.to.name, formerTables.get(name) ?? "");
    }
    if (!created.has(name)) {
      const table = tableIn(schema, name);
      if (change.kind === "renameColumn") {
        const { field } = columnIn(table, change.column);
        formerFields.set(`${name} ${change.to.field}`, field ?? "");
      }
      if (change.kind === "addColumn" && change.column.default === null) {
        empty.add(`${name} ${change.column.name}`);
      }
      const found = hazardOf(table, change);
      if (found !== null && !isOfEmpty(change, empty)) {
        const { resource } = table;
        const formerField = formerFields.get(`${name} ${found.field}`) ?? found.field;
        const formerResource = formerTables.get(name) ?? resource;
        hazards.push({ ...found, resource, formerResource, formerField });
      }
    }
    schema = applyChange(schema, change);
  }
  return hazards;
}

/** Whether an index is on a column that is new and holds nothing: empty values may repeat. */
function isOfEmpty(change: Change, empty: ReadonlySet<string>): boolean {
  if (change.kind !== "createIndex") return false;
  return change.index.keys.some(({ column }) => empty.has(`${change.table} ${column}`));
}

type Found = Pick<Hazard, "field" | "what" | "isDrop">;

function hazardOf(table: Table, change: Change): Found | null {
  switch (change.kind) {
    case "dropTable":
      return {
        field: null,
        what: `the records of "${table.resource}" would be gone`,
        isDrop: true,
      };
    case "dropColumn": {
      const { field } = columnIn(table, change.column);
      return { field, what: `the values of "${field}" would be gone`, isDrop: true };
    }
    case "replaceColumn":
      return ofReplaced(table, change);
    case "setRequired":
      return change.to
        ? of(columnIn(table, change.column), (field) => `records may have no "${field}"`)
        : null;
    case "setCheck":
      return ofCheck(table, change);
    case "setLink":
      return ofLink(table, change);
    case "createIndex":
      return ofUnique(table, change);
    default:
      return null;
  }
}

function of(column: Column, sentence: (field: string) => string): Found {
  const field = column.field ?? column.name;
  return { field, what: sentence(field), isDrop: false };
}

function ofReplaced(table: Table, { column, indexes }: ChangeOf<"replaceColumn">): Found | null {
  const former = columnIn(table, column.name);
  if (isNarrowing(former, column)) {
    return of(
      column,
      (field) => `values of "${field}" may not become ${kindWords(former, column)}`,
    );
  }
  if (column.required && !former.required) {
    return of(column, (field) => `records may have no "${field}"`);
  }
  const wasUnique = table.indexes.some(
    ({ unique, keys }) => unique && keys.length === 1 && keys[0]?.column === column.name,
  );
  return indexes.some(({ unique, keys }) => unique && keys.length === 1) && !wasUnique
    ? of(column, (field) => `values of "${field}" may repeat`)
    : null;
}

function kindWords(former: Column, { kind, type }: Column): string {
  return kind === former.kind ? type : `a ${kind}`;
}

function ofCheck(table: Table, { column: name, to }: ChangeOf<"setCheck">): Found | null {
  const column = columnIn(table, name);
  const { check } = column;
  if (!isNarrower(check, to)) return null;
  if (check?.rule === "length" && to?.rule === "length" && isEmptyOnly(check, to)) {
    return null;
  }
  if (check?.rule === "values" && to?.rule === "values") {
    const gone = check.values.filter((value) => !to.values.includes(value));
    const list = gone.map((value) => `"${value}"`).join(", ");
    return of(column, (field) => `records may have ${list} as "${field}"`);
  }
  return of(column, (field) => `values of "${field}" may break the narrower rule`);
}

/** A text that becomes required may not be "" any more; an optional one never was. */
function isEmptyOnly(
  from: { readonly least: number; readonly most: number },
  to: { readonly least: number; readonly most: number },
): boolean {
  return from.least === 0 && to.least === 1 && to.most >= from.most;
}

function ofLink(table: Table, { column: name, to }: ChangeOf<"setLink">): Found | null {
  const column = columnIn(table, name);
  const { link } = column;
  if (to === null || (link?.schema === to.schema && link.table === to.table)) return null;
  return of(column, (field) => `values of "${field}" may lead to nothing in ${to.table}`);
}

function ofUnique(table: Table, { index }: ChangeOf<"createIndex">): Found | null {
  if (!index.unique) return null;
  const columns = index.keys.map(({ column }) => columnIn(table, column));
  const isThere = table.indexes.some(
    ({ unique, keys }) => unique && keys.every((key, at) => key.column === index.keys[at]?.column),
  );
  const [first] = columns;
  if (isThere || first === undefined) return null;
  const names = columns.map(({ field, name }) => `"${field ?? name}"`).join(", ");
  return of(first, () => `values of ${names} may repeat`);
}

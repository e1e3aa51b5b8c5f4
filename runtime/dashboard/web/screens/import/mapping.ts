import { isUuid } from "../../../../values/uuid.js";
import type { Field, Resource } from "../../api/client/types.js";
import { labelOf, titleField } from "../../api/records/descriptors.js";
import { givenId, isString } from "../../api/records/fields.js";
import { kindOf } from "../../kinds/kinds.js";
import { type FileNumbers, wayOf } from "../../text/file-numbers.js";

/** The field that a column is imported into; null leaves it out. */
export interface Target {
  readonly field: string;
  /** For a link: the unique field of the target that the cells contain; null for its id. */
  readonly by: string | null;
  /** The column's number notation; null if unknown, omitted for other fields. */
  readonly numbers?: FileNumbers | null;
  /** The columns whose cells are appended to its own, separated by spaces. */
  readonly behind?: readonly number[] | undefined;
  /** Replacements of its cells; other cells are read unchanged. */
  readonly values?: Readonly<Record<string, string>>;
}

/** The target of each column, by position. */
export type Mapping = readonly (Target | null)[];

/** The fields that an import may fill. */
export function importFields({ fields, id }: Resource): readonly Field[] {
  const written = fields.filter(({ writable }) => writable !== false);
  return id?.given === true ? [givenId, ...written] : written;
}

/** The unique text fields that identify a link's target, its title first. */
export function keysOf(target: Resource | undefined): readonly Field[] {
  if (target === undefined) return [];
  const title = titleField(target);
  return target.fields
    .filter((field) => isString(field) && field.unique === true && field.readable !== false)
    .sort((one, other) => Number(other === title) - Number(one === title));
}

/** Fields that identify the record of a row, for changing existing records. */
export function upsertFields(resource: Resource): readonly Field[] {
  return importFields(resource).filter(({ unique }) => unique === true);
}

/** Maps columns to the fields with the same name or label; never two columns to one field. */
export function guessed(head: readonly string[], resource: Resource): Mapping {
  const taken = new Set<string>();
  return head.map((name) => {
    const field = importFields(resource).find(
      (one) => !taken.has(one.name) && [one.name, labelOf(one)].map(bare).includes(bare(name)),
    );
    if (field === undefined) return null;
    taken.add(field.name);
    return { field: field.name, by: null };
  });
}

/** The rows of a file, and whether a cell of a link's column is an id. */
interface Cells {
  readonly rows: readonly (readonly string[])[];
  readonly isId?: (field: string, cell: string) => boolean;
}

/** Chooses the unique field for each link whose cells are not ids. */
export function withKeys(
  mapping: Mapping,
  { rows, isId = (_, cell) => isUuid(cell) }: Cells,
  keyOf: (field: string) => string | null,
): Mapping {
  return mapping.map((target, at) => {
    if (target === null) return null;
    const sample = rows.slice(0, 20).flatMap((row) => (row[at] ? [row[at]] : []));
    const isIds = sample.every((cell) => isId(target.field, cell.trim()));
    return isIds ? target : { ...target, by: keyOf(target.field) };
  });
}

/** Detects each column's number notation unless the user has chosen one. */
export function withNumbers(
  mapping: Mapping,
  { rows }: { readonly rows: readonly (readonly string[])[] },
  resource: Resource,
): Mapping {
  return mapping.map((target, at) => {
    const field = importFields(resource).find(({ name }) => name === target?.field);
    const isNumeric = field !== undefined && kindOf(field).isNumeric;
    if (!isNumeric || target === null || target.numbers !== undefined) return target;
    const places = field.integer === true ? 0 : (field.decimals ?? Number.POSITIVE_INFINITY);
    const cells = rows.map((row) => row[at] ?? "");
    return { ...target, numbers: wayOf(cells, places) };
  });
}

function bare(name: string): string {
  return name.toLocaleLowerCase().replace(/[\s_-]/g, "");
}

/** Required fields that no column is mapped to. */
export function missingFields(
  resource: Resource,
  mapping: Mapping,
  /** Fields with a value for all rows. */
  fixed: readonly string[] = [],
): readonly Field[] {
  const filled = new Set([
    ...fixed,
    ...mapping.flatMap((target) => (target === null ? [] : [target.field])),
  ]);
  return importFields(resource).filter(
    ({ name, required, default: usual }) =>
      required === true && (usual === undefined || usual === null) && !filled.has(name),
  );
}

/** Fields that more than one column is mapped to. */
export function doubledFields(mapping: Mapping): readonly string[] {
  const names = mapping.flatMap((target) => (target === null ? [] : [target.field]));
  return [...new Set(names.filter((name, at) => names.indexOf(name) < at))];
}

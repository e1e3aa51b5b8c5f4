import type { Field, Resource } from "../../../api/client/types.js";
import { may, readableFields, titleField } from "../../../api/records/descriptors.js";
import { id } from "../../../api/records/fields.js";
import { wordsIn } from "../../../browser/storage/kept.js";
import { kindOf } from "../../../kinds/kinds.js";

/** The default number of columns. */
const usualColumns = 6;

/** The chosen columns of a list, stored in the browser. */
export interface Layout {
  /** In order, without the title; null for the descriptor's columns or, without these, the first ones. */
  readonly columns: readonly string[] | null;
  /** Widths in pixels, by field name. */
  readonly widths: Readonly<Record<string, number>>;
  readonly perPage: number;
  readonly isCompact: boolean;
}

/** The numbers of rows per page offered. */
export const pageSizes = [10, 25, 50, 100];

/** Parses a stored layout; ignores invalid parts. */
export function layoutOf(json: unknown): Layout {
  const { columns, widths, perPage, isCompact } = (
    typeof json === "object" && json !== null ? json : {}
  ) as Partial<Record<keyof Layout, unknown>>;
  const sizes = Object.entries(typeof widths === "object" && widths !== null ? widths : {});
  return {
    columns: Array.isArray(columns) ? wordsIn(columns) : null,
    widths: Object.fromEntries(
      sizes.filter(([, size]) => typeof size === "number" && size >= leastWidth && size <= 2_000),
    ),
    perPage: pageSizes.find((one) => one === perPage) ?? 25,
    isCompact: isCompact === true,
  };
}

/** The minimum width of a column in pixels. */
export const leastWidth = 48;

export interface Columns {
  /** The title field; always the first column, and a link to the record. */
  readonly title: Field;
  /** The picture before the title. */
  readonly picture: Field | null;
  readonly rest: readonly Field[];
}

/** The columns of a list: as chosen, as in the descriptor, or the first that fit. */
export function columnsOf(resource: Resource, chosen: readonly string[] | null): Columns {
  const title = titleField(resource) ?? id;
  const fields = readableFields(resource).filter(({ name }) => name !== title.name);
  const names = chosen ?? resource.list ?? null;
  const shown =
    names === null
      ? [
          ...usualOf(fields.filter((field) => isUsual(field))),
          ...fields.filter(({ name }) => name === "updatedAt"),
        ]
      : [...new Set(names)].flatMap((name) => fields.find((field) => field.name === name) ?? []);
  const picture = shown.find((field) => kindOf(field).isPicture) ?? null;
  return { title, picture, rest: shown.filter((field) => field !== picture) };
}

/** The fields that the columns show. */
export function fieldsOf({ title, picture, rest }: Columns): readonly Field[] {
  return [
    ...(title.name === id.name ? [] : [title]),
    ...(picture === null ? [] : [picture]),
    ...rest,
  ];
}

/** The columns whose cells can be edited in place. */
export function editableIn(resource: Resource, columns: Columns): ReadonlySet<string> {
  if (!may(resource, "update")) return new Set();
  const fields = [columns.title, ...columns.rest].filter(
    (field) => field.name !== id.name && field.writable !== false && kindOf(field).isInPlace,
  );
  return new Set(fields.map(({ name }) => name));
}

/** The default order: a picture, links, then required fields before optional ones. */
function usualOf(fields: readonly Field[]): readonly Field[] {
  const rank = ({ resource, required }: Field) =>
    resource !== undefined ? 0 : required === true ? 1 : 2;
  const picture = fields.filter((field) => kindOf(field).isPicture).slice(0, 1);
  const others = fields.filter((field) => !kindOf(field).isPicture);
  const first = others.toSorted((one, other) => rank(one) - rank(other)).slice(0, usualColumns);
  const links = first.filter(({ resource }) => resource !== undefined);
  return [
    ...picture,
    ...links,
    ...others.filter((one) => first.includes(one) && !links.includes(one)),
  ];
}

function isUsual(field: Field): boolean {
  return kindOf(field).isShown && field.name !== "createdAt" && field.name !== "updatedAt";
}

/** The position of a column on a narrow screen's card: below the title, or one of two next to it. */
export function cardPlaces({ rest }: Columns): Readonly<Record<string, string>> {
  const number = rest.find((field) => kindOf(field).isAtEnd);
  const tag = rest.find(({ values }) => values !== undefined);
  const others = rest.filter((field) => field !== number && field !== tag);
  const under = others.find(({ resource }) => resource !== undefined) ?? others[0];
  return {
    ...(under === undefined ? {} : { [under.name]: "under" }),
    ...(number === undefined ? {} : { [number.name]: "side-1" }),
    ...(tag === undefined ? {} : { [tag.name]: "side-2" }),
  };
}

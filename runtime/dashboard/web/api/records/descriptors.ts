import { enList } from "../../text/en/list.js";
import type { Can, Field, FileDetails, Resource, Row } from "../client/types.js";

/** The values that every record has besides its fields. */
export const createdAt: Field = {
  name: "createdAt",
  type: "timestamp",
  label: enList.created,
  required: true,
  writable: false,
};
export const updatedAt: Field = {
  name: "updatedAt",
  type: "timestamp",
  label: enList.updated,
  required: true,
  writable: false,
};

/** The fields that the caller may see, and the two times of every record last. */
export function readableFields({ fields }: Resource): readonly Field[] {
  return [...fields.filter(({ readable }) => readable !== false), createdAt, updatedAt];
}

/** A field's label: `Released on` for `releasedOn`, `Category` for `categoryId`, unless the descriptor has one. */
export function labelOf({ name, label, resource }: Field): string {
  if (label !== undefined) return label;
  const short = resource === undefined ? name : name.replace(/(.)Id$/, "$1");
  const words = short.replace(/(?<=[a-z\d])(?=[A-Z])/g, " ").toLocaleLowerCase();
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}

/** The field that names a record: `title`, else the first string, else a unique field. */
export function titleField(resource: Resource): Field | null {
  const fields = resource.fields.filter(({ readable }) => readable !== false);
  return (
    fields.find(({ name }) => name === resource.title) ??
    fields.find(({ type }) => type === "string") ??
    fields.find(({ unique, type }) => unique === true && type === "number") ??
    null
  );
}

/** A record's title; without one those of its links, and else the end of its id: the beginning is only the time. */
export function titleOf(resource: Resource | undefined, record: Row): string {
  const field = resource === undefined ? "name" : titleField(resource)?.name;
  const own = field === undefined ? null : textOf(record[field]);
  if (own !== null) return own;
  const linked = (resource?.naming ?? []).flatMap(({ link, title }) => {
    const text = textOf((record[link] as Row | null | undefined)?.[title]);
    return text === null ? [] : [text];
  });
  return linked.length === 0 ? shortId(record.id) : linked.join(" · ");
}

function textOf(value: unknown): string | null {
  return value === null || value === undefined || value === "" ? null : String(value);
}

/** The characters of an id that differ between records of one minute. */
export function shortId(id: string): string {
  return id.slice(-8);
}

/** The record that a row's link leads to, if it was included. */
export function linked({ link }: Field, row: Row): Row | null {
  return link === undefined ? null : ((row[link] as Row | null | undefined) ?? null);
}

export function fileOf(field: Field, row: Row): FileDetails | null {
  return (row[`${field.name}File`] as FileDetails | null | undefined) ?? null;
}

/** The path of a stored file or its rendition; never its `url`, which may lead to another host. */
export function filePath({ key, renditions }: FileDetails, rendition?: string): string {
  const made = rendition === undefined ? undefined : renditions[rendition]?.url.split("/").at(-1);
  const folder = key.split("/").slice(0, -1).join("/");
  return `/api/_service/files/${made === undefined ? key : `${folder}/${made}`}`;
}

/** Whether an action may be offered; one that a policy or the owner rule decides may be. */
export function may({ can }: Resource, action: keyof NonNullable<Resource["can"]>): boolean {
  return isOffered(can?.[action]);
}

/** Whether an action on one record may be offered; where only owners may do it, not on what is known to be another's. */
export function mayWith(
  resource: Resource,
  action: "update" | "delete",
  record: Row,
  account: string,
): boolean {
  const { can, owner } = resource;
  if (can?.[action] !== "own" || owner === undefined) return may(resource, action);
  // Where the owner is found by a path of links, or the link may not be read, the API alone knows.
  const whose = record[owner];
  return typeof whose !== "string" || whose === account;
}

function isOffered(can: Can | undefined): boolean {
  return can !== false;
}

/** The resource's label within a sentence. */
export function things({ label }: Resource): string {
  return inSentence(label);
}

export function thing({ singular }: Resource): string {
  return inSentence(singular);
}

/** `EMEA` and `iPad` stay what they are. */
function inSentence(label: string): string {
  return label.replace(/\S+/g, (word) =>
    /^.+\p{Lu}/u.test(word) ? word : word.toLocaleLowerCase(),
  );
}

export function listPath({ name }: Resource): string {
  return `/data/${name}`;
}

export function recordPath(resource: string, id: string): string {
  return `/data/${resource}/${id}`;
}

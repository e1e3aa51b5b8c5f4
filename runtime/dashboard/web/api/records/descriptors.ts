import {
  entriesOf,
  memberRoleOf,
  ownerWord,
  type Rule,
  whoOf,
} from "../../../../values/access-rule.js";
import { detailsKey } from "../../../../values/files/details-key.js";
import { isUuid } from "../../../../values/uuid.js";
import { idInPath } from "../client/id-in-path.js";
import type { Can, Field, FileDetails, Resource, Row } from "../client/types.js";
import { createdAt, isLink, isNumber, isString, updatedAt } from "./fields.js";

/** Returns the fields that the caller may see, followed by the times that the records have. */
export function readableFields(resource: Resource): readonly Field[] {
  const times = [createdAt, updatedAt].filter(({ name }) => hasTime(resource, name));
  return [...writtenFields(resource), ...times];
}

/** Returns the fields of the descriptor that the caller may see. */
export function writtenFields({ fields }: Resource): readonly Field[] {
  return fields.filter(({ readable }) => readable !== false);
}

/** Whether records have this time: that of creation or of the last change. */
export function hasTime(resource: Resource, name: string): boolean {
  return (name === "createdAt" ? resource.createdAt : resource.updatedAt) !== "none";
}

/** Returns the sort key for the order in which records were created. */
export function creationKey(resource: Resource): "createdAt" | "id" {
  return hasTime(resource, "createdAt") ? "createdAt" : "id";
}

/** A field's label: `Released on` for `releasedOn`, `Category` for `categoryId`, unless the descriptor has one. */
export function labelOf({
  name,
  label,
  resource,
  links,
}: Pick<Field, "name" | "label" | "resource" | "links">): string {
  if (label !== undefined) return label;
  // The records of `tagIds` are called `tags`.
  const short = links ?? (resource === undefined ? name : name.replace(/(.)Id$/, "$1"));
  const words = short.replace(/(?<=[a-z\d])(?=[A-Z])/g, " ").toLocaleLowerCase();
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}

/** Returns the fields and links of `title` that the caller may see. */
export function titleFields({ title = [], fields }: Resource): readonly Field[] {
  return [title].flat().flatMap((name) => {
    const field = fields.find((one) => one.name === name);
    return field === undefined || field.readable === false ? [] : [field];
  });
}

export function ownTitleFields(resource: Resource): readonly Field[] {
  return titleFields(resource).filter((field) => !isLink(field));
}

/** Returns the field that names a record: the first one of `title`, else the first string, else a unique field. */
export function titleField(resource: Resource): Field | null {
  const fields = resource.fields.filter(({ readable }) => readable !== false);
  return (
    ownTitleFields(resource)[0] ??
    fields.find(isString) ??
    fields.find((field) => field.unique === true && isNumber(field)) ??
    null
  );
}

/** A record's title, else the titles of its links, else the end of its id: an id begins with its time. */
export function titleOf(resource: Resource | undefined, record: Row): string {
  const parts = resource === undefined ? [] : titleFields(resource);
  if (resource !== undefined && parts.length > 0) {
    const title = joined(parts, (part) => partOf(part, resource, record));
    if (title !== "") return title;
  }
  const field = resource === undefined ? "name" : titleField(resource)?.name;
  const own = field === undefined ? null : textOf(record[field]);
  if (own !== null) return own;
  const linked = (resource?.naming ?? []).flatMap(({ link, title }) => {
    const text = linkedTitle(record[link], title);
    return text === null ? [] : [text];
  });
  return linked.length === 0 ? shortId(record.id) : linked.join(" · ");
}

/** Returns the text of one part of a title; for a link, that of the included record. */
function partOf(field: Field, { naming = [] }: Resource, record: Row) {
  const { name, link } = field;
  if (!isLink(field)) return textOf(record[name]);
  const title = naming.find((one) => one.link === link)?.title;
  return link === undefined || title === undefined ? null : linkedTitle(record[link], title);
}

/** Returns the title of a record that was included with these fields. */
function linkedTitle(included: unknown, fields: string): string | null {
  const row = included as Row | null | undefined;
  const texts = fields.split(",").flatMap((name) => textOf(row?.[name]) ?? []);
  return texts.length === 0 ? null : texts.join(" ");
}

/** Joins texts with spaces, and titles of other records with ` · `. */
function joined(parts: readonly Field[], textOf: (part: Field) => string | null): string {
  let title = "";
  let isAfterLink = false;
  for (const part of parts) {
    const text = textOf(part);
    if (text === null) continue;
    const isOther = isLink(part);
    title += title === "" ? text : `${isAfterLink || isOther ? " · " : " "}${text}`;
    isAfterLink = isOther;
  }
  return title;
}

function textOf(value: unknown): string | null {
  return value === null || value === undefined || value === "" ? null : String(value);
}

/** The characters of a UUID that differ between records of the same minute; any other id is unchanged. */
export function shortId(id: string): string {
  return isUuid(id) ? id.slice(-8) : id;
}

/** Returns the linked record of a row if it was included. */
export function linked({ link }: Field, row: Row): Row | null {
  return link === undefined ? null : ((row[link] as Row | null | undefined) ?? null);
}

export function fileOf({ name }: Field, row: Row): FileDetails | null {
  const key = detailsKey(name, { isList: false });
  return (row[key] as FileDetails | null | undefined) ?? null;
}

export function filesOf({ name }: Field, row: Row): readonly FileDetails[] {
  const key = detailsKey(name, { isList: true });
  return (row[key] as readonly FileDetails[] | undefined) ?? [];
}

/** Returns the record's description of its picture; null if there is none, or the row does not contain it. */
export function altOf({ alt }: Field, row: Row): string | null {
  return alt === undefined ? null : textOf(row[alt]);
}

/**
 * Returns the path of a stored file or its rendition. For a private file, it is the signed `url`: pictures stay in the
 * browser's cache while the signature is valid; later requests use the cookie. The `url` of a public file may be on
 * another host. If only the key is known, as in a draft, the file may be private.
 */
export function filePath({ key, url, renditions }: FileDetails, rendition?: string): string {
  const made = rendition === undefined ? undefined : renditions[rendition]?.url;
  const [name = "", query] = (made ?? url ?? key).split("/").at(-1)?.split("?") ?? [];
  const folder = key.split("/").slice(0, -1).join("/");
  const path = `/api/_service/files/${made === undefined ? key : `${folder}/${name}`}`;
  if (query?.includes("signature=") === true) return `${path}?${query}&${fromHere}`;
  return url === undefined ? `${path}?${fromHere}` : path;
}

/** Pages may not show pictures from a bucket, to which private files otherwise redirect. */
const fromHere = "redirect=false";

/** Whether to offer an action; also true if a policy or the owner rule decides. */
export function may({ can }: Resource, action: keyof NonNullable<Resource["can"]>): boolean {
  return isOffered(can?.[action]);
}

/** Whether the resource has histories, and the caller may be offered them. */
export function hasHistory({ can }: Resource): boolean {
  return can?.history !== undefined && isOffered(can.history);
}

/** Whether changes of the resource's records are streamed to callers that may list them. */
export function streamsChanges(resource: Resource): boolean {
  const { changes = false } = resource;
  return changes !== false && may(resource, "list");
}

/** The caller's account and its roles in the group that owns a record; null if the roles are unknown. */
export interface Acting {
  readonly account: string;
  readonly roles: readonly string[] | null;
}

/** The account for many records at once. Its roles are not requested: the API refuses what they do not allow. */
export function someRole(account: string): Acting {
  return { account, roles: null };
}

/**
 * Whether to offer an action on a record. If only owners may do it, false for records known to belong to another
 * account.
 */
export function mayWith(
  { resource, record }: { readonly resource: Resource; readonly record: Row },
  action: "update" | "delete" | "history",
  { account, roles }: Acting,
): boolean {
  const { can, owner, access } = resource;
  if (can?.[action] !== "own" || owner === undefined) return may(resource, action);
  const rule = access?.[action] ?? access?.update;
  if (typeof owner === "object") return roles === null || isNamed(rule, roles);
  // If the owner is found by a path of links, or the caller may not read the link, only the API can decide.
  const whose = record[owner];
  return typeof whose !== "string" || whose === account;
}

/** Whether the rule names members, or members with one of the roles. */
function isNamed(rule: Rule = [], roles: readonly string[]): boolean {
  return entriesOf(rule).some((entry) => {
    const word = whoOf(entry);
    const role = memberRoleOf(word);
    return role === null ? word === ownerWord && roles.length > 0 : roles.includes(role);
  });
}

function isOffered(can: Can | undefined): boolean {
  return can !== false;
}

/** Returns the resource's label for use within a sentence. */
export function things({ label }: Resource): string {
  return inSentence(label);
}

export function thing({ singular }: Resource): string {
  return inSentence(singular);
}

/** Returns a label for use within a sentence; `EMEA` and `iPad` keep their capitals. */
export function inSentence(label: string): string {
  return label.replace(/\S+/g, (word) =>
    /^.+\p{Lu}/u.test(word) ? word : word.toLocaleLowerCase(),
  );
}

export function listPath({ name }: Resource): string {
  return `/data/${name}`;
}

/** Returns the address of a list with the parameters of a query string. */
export function listAddress(resource: Resource, search: string): string {
  return search === "" ? listPath(resource) : `${listPath(resource)}?${search}`;
}

export function recordPath(resource: string, id: string): string {
  return `/data/${resource}/${idInPath(id)}`;
}

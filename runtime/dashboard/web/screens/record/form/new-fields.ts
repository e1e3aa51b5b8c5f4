import type { Field, Resource } from "../../../api/client/types.js";
import { listPath } from "../../../api/records/descriptors.js";
import type { Typed } from "../../../form/state.js";
import { kindOf } from "../../../kinds/kinds.js";

export function writableFields({ fields }: Resource): readonly Field[] {
  return fields.filter(({ writable }) => writable !== false);
}

/** The fields of a new record; the server sets the owner link for roles that may create only records of their own. */
export function newFields(resource: Resource): readonly Field[] {
  return writableFields(resource).filter(
    ({ name }) => !(resource.can?.create === "own" && name === resource.owner),
  );
}

/** The address of a new record's form that begins with these values; files are gone with their record. */
export function newPath(resource: Resource, mine: Typed): string {
  const given = newFields(resource).flatMap((field) => {
    const typed = mine[field.name] ?? "";
    return typed === "" || kindOf(field).isFile ? [] : [[field.name, typed]];
  });
  return `${listPath(resource)}/new?${new URLSearchParams(given)}`;
}

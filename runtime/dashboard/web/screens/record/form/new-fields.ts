import type { Field, Resource } from "../../../api/client/types.js";
import { listPath } from "../../../api/records/descriptors.js";
import { givenId } from "../../../api/records/fields.js";
import type { Typed } from "../../../form/state.js";
import { kindOf } from "../../../kinds/kinds.js";

export function writableFields({ fields }: Resource): readonly Field[] {
  return fields.filter(({ writable }) => writable !== false);
}

/** The fields of a new record; the server sets the owner link for roles that may create only their own records. */
export function newFields(resource: Resource): readonly Field[] {
  const fields = writableFields(resource).filter(
    ({ name }) => !(resource.can?.create === "own" && name === resource.owner),
  );
  return resource.id?.given === true ? [givenId, ...fields] : fields;
}

/** The address of a new record's form with these initial values; files were deleted with their record. */
export function newPath(resource: Resource, mine: Typed): string {
  const given = newFields(resource).flatMap((field) => {
    const typed = mine[field.name] ?? "";
    return typed === "" || kindOf(field).isFile ? [] : [[field.name, typed]];
  });
  return `${listPath(resource)}/new?${new URLSearchParams(given)}`;
}

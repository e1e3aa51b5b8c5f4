import type { Field, Resource } from "../../../api/client/types.js";

export function writableFields({ fields }: Resource): readonly Field[] {
  return fields.filter(({ writable }) => writable !== false);
}

/** The fields of a new record; the server sets the owner link for roles that may create only records of their own. */
export function newFields(resource: Resource): readonly Field[] {
  return writableFields(resource).filter(
    ({ name }) => !(resource.can?.create === "own" && name === resource.owner),
  );
}

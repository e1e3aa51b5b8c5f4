import type { Field, Resource } from "../../api/client/types.js";
import { readableFields } from "../../api/records/descriptors.js";
import { kindOf } from "../kinds.js";

/**
 * The dates and times by which a calendar can show records, the descriptor's first. Empty if the descriptor has none,
 * although every record has a creation time.
 */
export function dateFields(resource: Resource): readonly Field[] {
  const fields = readableFields(resource).filter(hasDay);
  const isOwn = ({ name }: Field) => resource.fields.some((field) => field.name === name);
  return fields.some(isOwn) ? fields : [];
}

function hasDay(field: Field): boolean {
  const { grouping } = kindOf(field);
  return grouping === "days" || grouping === "moments";
}

/** The pictures, and lists of pictures, that a gallery can show. */
export function pictureFields(resource: Resource): readonly Field[] {
  return readableFields(resource).filter((field) => kindOf(field).picture !== null);
}

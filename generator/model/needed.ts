import { isOwnerRule } from "../../runtime/values/access-rule.js";
import { defaultOf, type Field, isNullable, isRequired } from "../kind/kinds.js";
import type { Resource } from "./model.js";

/** Returns the fields that a write request may contain. */
export function writtenFields({ fields }: Pick<Resource, "fields">): readonly Field[] {
  return fields.filter(({ readOnly, computed }) => !readOnly && computed === null);
}

/** Returns those fields of a write request that are stored in the record's row. */
export function writtenColumns({ stored }: Pick<Resource, "stored">): readonly Field[] {
  return stored.filter(({ readOnly }) => !readOnly);
}

/**
 * Whether each create request must provide a value: there is no default, and the field is not the link to the owner.
 */
export function isNeededToCreate(resource: Resource, field: Field): boolean {
  return (
    field.required &&
    !field.columnDefault &&
    defaultOf(field) === null &&
    field.name !== ownerLinkOf(resource)
  );
}

/**
 * Whether each PUT request must provide a value. Callers who may not write the field omit it, and owners may omit the
 * link to themselves.
 */
export function isNeededToReplace(resource: Resource, field: Field): boolean {
  if (!isRequired(field) || field.access.write !== "signed-in") return false;
  const mayStay = isOwnerRule(resource.access.update);
  return !mayStay || field.name !== ownerLinkOf(resource);
}

/** Whether app code may omit a required value: there is a default, or the owner is the caller. */
export function isUsuallyKnown(resource: Resource, field: Field): boolean {
  return !isNullable(field) && !isNeededToCreate(resource, field);
}

/**
 * Returns the link to the account that owns a record. Null if there is no owner, or the path to it includes a group or
 * another record.
 */
function ownerLinkOf({ owner, team }: Resource): string | null {
  const [first, ...others] = owner ?? [];
  return first === undefined || team !== null || others.length > 0 ? null : first.field;
}

import type { Field, Resource } from "../../api/client/types.js";
import { readableFields } from "../../api/records/descriptors.js";

/** The fields by which a list can be filtered: the resource's own, then those of linked records. */
export function filterFields(resource: Resource): readonly Field[] {
  return [...readableFields(resource), ...(resource.linkedFields ?? [])];
}

/** Splits the name of a linked record's field into the link and the field; null for the resource's own fields. */
export function linkIn(name: string): readonly [link: string, field: string] | null {
  const at = name.indexOf(".");
  return at < 0 ? null : [name.slice(0, at), name.slice(at + 1)];
}

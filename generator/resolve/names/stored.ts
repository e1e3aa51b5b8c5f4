import { usualId } from "../../../runtime/values/schema/id-types.js";
import { timeNames } from "../../../runtime/values/schema/record-times.js";
import type { Descriptor, FieldDescriptor } from "../../descriptor/descriptor.js";
import type { LinkTarget } from "../../kind/field.js";
import { usualColumn, usualTable } from "../../model/names.js";

/** The resource that exists without a descriptor: accounts. */
export const accounts = "users";

/** Returns the column of a field: the one in the descriptor, or the default. */
export function columnOf({ name, options }: Pick<FieldDescriptor, "name" | "options">): string {
  return typeof options.column === "string" ? options.column : usualColumn(name);
}

/** The column of a field of the descriptor, or of `id`, `createdAt` or `updatedAt`. */
export function columnIn(
  { fields, times, id }: Pick<Descriptor, "fields" | "times" | "id">,
  name: string,
): string {
  if (name === "id") return id.column;
  const time = timeNames.find((one) => one === name);
  const column = time === undefined ? null : times[time];
  return column ?? columnOf(fields.find((field) => field.name === name) ?? { name, options: {} });
}

/** Returns the table of the resource in `resource: categories`. */
export function targetOf(resource: string, descriptors: readonly Descriptor[]): LinkTarget {
  if (resource === accounts) return { resource, schema: "service", table: "users", id: usualId };
  const target = descriptors.find(({ name }) => name === resource);
  const table = target?.table ?? usualTable(resource);
  return { resource, schema: "public", table, id: target?.id ?? usualId };
}

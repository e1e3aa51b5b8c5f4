import type { Problem } from "../../runtime/values/problem.js";
import { columnIn, type Schema, tableIn } from "../../runtime/values/schema/schema.js";
import type { Path } from "../../runtime/values/yaml/position.js";
import type { Descriptor } from "../descriptor/descriptor.js";
import { problemOf } from "../descriptor/source.js";
import { type IsRenamed, keptName } from "../resolve/former-names.js";
import type { Former, Lineage } from "../schema/changes/lineage.js";
import type { Renames } from "../schema/changes/renames/renames.js";

/** Returns a function that reports whether the migrations have already applied a `was`. */
export function renamedBy(lineage: Lineage): IsRenamed {
  return (resource, field, was) => formerOf(lineage, resource, field)?.names.has(was) ?? false;
}

function formerOf(lineage: Lineage, resource: string, field: string | null): Former | undefined {
  return field === null
    ? lineage.resources.get(resource)
    : lineage.fields.get(resource)?.get(field);
}

/** A `was` that has been applied. */
interface Followed {
  readonly path: Path;
  readonly former: string;
  /** Null for a resource. */
  readonly field: string | null;
  /** Whether the former name is in use again. */
  readonly isUsed: boolean;
}

/**
 * Returns a remark for each applied `was` that may mislead a reader: its name is in use again, or the new name
 * previously belonged to something else.
 */
export function renamedRemarks(
  descriptors: readonly Descriptor[],
  lineage: Lineage,
): readonly string[] {
  const isRenamed = renamedBy(lineage);
  const resources = new Set(descriptors.map(({ name }) => name));
  return descriptors.flatMap(({ name: resource, was, fields, source }) => {
    const names = new Set(fields.map(({ name }) => name));
    const remarkOf = ({ path, former, field, isUsed }: Followed) => {
      if (!isRenamed(resource, field, former)) return [];
      if (!isUsed && !formerOf(lineage, resource, field)?.tookName) return [];
      const { file, line, column, message } = problemOf(source, {
        path,
        at: "value",
        message: "remove was: the rename is done",
        hint: "",
      });
      return [`${file}:${line}:${column}: ${message}`];
    };
    return [
      ...(was === null
        ? []
        : remarkOf({ path: ["was"], former: was, field: null, isUsed: resources.has(was) })),
      ...fields.flatMap(({ name, options: { was: former } }) =>
        typeof former === "string"
          ? remarkOf({
              path: ["fields", name, "was"],
              former,
              field: name,
              isUsed: names.has(former),
            })
          : [],
      ),
    ];
  });
}

/** Returns a problem for each `was` whose name is still in use, as it has no effect. */
export function keptNameProblems(
  descriptors: readonly Descriptor[],
  before: Schema,
  { tables, columns }: Renames,
): readonly Problem[] {
  const keeps = (
    all: readonly { readonly name: string }[],
    moved: readonly string[],
    was: string,
  ) => all.some(({ name }) => name === was) && !moved.includes(was);
  const ofTables = tables.flatMap(({ table, to }) => {
    const { resource: was } = tableIn(before, table);
    const moved = tables.map((rename) => rename.to.resource);
    const descriptor = descriptors.find(({ name }) => name === to.resource);
    return descriptor !== undefined && keeps(descriptors, moved, was)
      ? [problemOf(descriptor.source, keptName(["was"], was))]
      : [];
  });
  const formerNames = new Map(tables.map(({ table, to }) => [to.name, table]));
  const ofColumns = columns.flatMap(({ table, column, to }) => {
    const former = tableIn(before, formerNames.get(table) ?? table);
    const { field: was } = columnIn(former, column);
    const own = columns.filter((rename) => rename.table === table);
    const resource = tables.find((rename) => rename.to.name === table)?.to.resource;
    const descriptor = descriptors.find(({ name }) => name === (resource ?? former.resource));
    if (descriptor === undefined || was === null) return [];
    return keeps(
      descriptor.fields,
      own.map((rename) => rename.to.field),
      was,
    )
      ? [problemOf(descriptor.source, keptName(["fields", to.field, "was"], was))]
      : [];
  });
  return [...ofTables, ...ofColumns];
}

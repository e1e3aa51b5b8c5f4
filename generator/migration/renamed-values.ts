import { didYouMean } from "../../runtime/values/nearest.js";
import type { Problem } from "../../runtime/values/problem.js";
import { valuesOf } from "../../runtime/values/schema/renamed-value.js";
import type { Schema } from "../../runtime/values/schema/schema.js";
import { listWordsBriefly } from "../../runtime/values/text.js";
import type { Path } from "../../runtime/values/yaml/position.js";
import type { Descriptor, FieldDescriptor } from "../descriptor/descriptor.js";
import { problemOf } from "../descriptor/source.js";
import type { Model } from "../model/model.js";
import type { Renames } from "../schema/changes/renames/renames.js";

interface RenamedValues {
  /** A problem for each rename of a name that was never a value. */
  readonly problems: readonly Problem[];
  /** A remark for each completed rename. */
  readonly remarks: readonly string[];
}

interface Known {
  readonly model: Model;
  readonly before: Schema;
  readonly renames: Renames;
}

/**
 * Compares each `renamed` of an enum with its column's values. No value is renamed if the column is new, or if
 * the migrations have already renamed the value.
 */
export function checkRenamedValues(
  descriptors: readonly Descriptor[],
  known: Known,
): RenamedValues {
  const problems: Problem[] = [];
  const remarks: string[] = [];
  for (const descriptor of descriptors) {
    for (const field of descriptor.fields) {
      const values = formerValues(descriptor, field, known);
      for (const [value, to] of Object.entries(renamedOf(field))) {
        const path = ["fields", field.name, "renamed", value];
        if (isToDo(descriptor, field, { ...known, value })) continue;
        if (values === null || values.includes(value) || values.includes(to)) {
          remarks.push(doneAt(descriptor, path));
        } else problems.push(neverThere(descriptor, path, { value, values }));
      }
    }
  }
  return { problems, remarks };
}

function doneAt({ source }: Descriptor, path: Path): string {
  const message = "remove renamed: the rename is done";
  const { file, line, column } = problemOf(source, { path, at: "key", message, hint: "" });
  return `${file}:${line}:${column}: ${message}`;
}

function renamedOf({ options }: FieldDescriptor): object {
  const { renamed } = options;
  return typeof renamed === "object" && renamed !== null ? renamed : {};
}

/** Whether the next migration renames the value. */
function isToDo(
  { name: resource }: Descriptor,
  { name }: FieldDescriptor,
  { model, renames, value }: Known & { readonly value: string },
): boolean {
  const own = model.resources.find((one) => one.name === resource);
  const column = own?.fields.find((one) => one.name === name)?.column;
  return renames.values.some(
    (one) => one.table === own?.table && one.column === column && one.value === value,
  );
}

/** The values before the next migration; null if the column is new or of another kind. */
function formerValues(
  { name: resource }: Descriptor,
  { name }: FieldDescriptor,
  { model, before, renames }: Known,
): readonly string[] | null {
  const own = model.resources.find((one) => one.name === resource);
  const field = own?.fields.find((one) => one.name === name);
  if (own === undefined || field === undefined) return null;
  const table = renames.tables.find(({ to }) => to.name === own.table)?.table ?? own.table;
  const moved = renames.columns.find(
    (one) => one.table === own.table && one.to.name === field.column,
  );
  const column = before.tables
    .find((one) => one.name === table)
    ?.columns.find((one) => one.name === (moved?.column ?? field.column));
  return column === undefined ? null : valuesOf(column);
}

function neverThere(
  { source }: Descriptor,
  path: Path,
  { value, values }: { readonly value: string; readonly values: readonly string[] },
): Problem {
  const message = `"${value}" is renamed, but was not among the field's values`;
  const hint = didYouMean(value, values) ?? `its values were ${listWordsBriefly(values)}`;
  return problemOf(source, { path, at: "key", message, hint });
}

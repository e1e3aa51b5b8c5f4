import type { Problem } from "../../runtime/values/problem.js";
import { applyChange } from "../../runtime/values/schema/change.js";
import type { Change } from "../../runtime/values/schema/change-kinds.js";
import type { Schema } from "../../runtime/values/schema/schema.js";
import type { Descriptor } from "../descriptor/descriptor.js";
import { problemOf } from "../descriptor/source.js";

/** A problem for each new field whose column an adopted table did not have: no migration changes such a table. */
export function adoptedColumnProblems(
  descriptors: readonly Descriptor[],
  before: Schema,
  changes: readonly Change[],
): readonly Problem[] {
  let schema = before;
  return changes.flatMap((change) => {
    const now = schema;
    schema = applyChange(schema, change);
    if (change.kind !== "addColumn") return [];
    const table = now.tables.find(({ name }) => name === change.table);
    const { name, field } = change.column;
    const descriptor = descriptors.find((one) => one.name === table?.resource);
    const isThere = table?.adopted?.some((one) => one.name === name) ?? true;
    if (isThere || descriptor === undefined || field === null) return [];
    const message = `the column of "${field}" is ${name}, which ${change.table} did not have when it was adopted`;
    const hint = "if the table has it by now, remove the field and run: npx service adopt --update";
    return [problemOf(descriptor.source, { path: ["fields", field], at: "key", message, hint })];
  });
}

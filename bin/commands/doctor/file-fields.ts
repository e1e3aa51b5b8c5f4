import { findDescriptors } from "../../../generator/descriptor/find.js";
import { readDescriptors } from "../../../generator/descriptor/read.js";
import { isFile, kindOf } from "../../../generator/kind/kinds.js";
import { resolveModel } from "../../../generator/resolve/resolve.js";
import { readProfileNames } from "../../../runtime/config/index.js";
import type { FieldPrivacy } from "../../../runtime/uploads/index.js";

/** Every field of an app that takes files; none where its descriptors have a problem. */
export function fileFields(root: string): readonly FieldPrivacy[] {
  const { model } = resolveModel(
    readDescriptors(findDescriptors(root)),
    readProfileNames(root),
    // Renames in migrations do not matter here.
    () => true,
  );
  return (model?.resources ?? []).flatMap(({ name, fields }) =>
    fields.filter(isFile).map((field) => ({
      resource: name,
      field: field.name,
      isPrivate: kindOf(field).describe(field).private === true,
    })),
  );
}

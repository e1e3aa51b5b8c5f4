import { findDescriptors } from "../../generator/descriptor/find.js";
import { readDescriptors } from "../../generator/descriptor/read.js";
import { isFile, kindOf } from "../../generator/kind/kinds.js";
import { resolveModel } from "../../generator/resolve/resolve.js";
import { readProfileNames } from "../../runtime/config/index.js";
import type { FieldOfFile, FieldPrivacy } from "../../runtime/uploads/index.js";

/** Every field of an app that takes files; none where its descriptors have a problem. */
export function fileFields(root: string): readonly FieldPrivacy[] {
  const { model } = resolveModel(
    readDescriptors(findDescriptors(root)),
    readProfileNames(root),
    // Renames in migrations do not matter here.
    () => true,
  );
  return (model?.resources ?? []).flatMap(({ name, fields }) =>
    fields.filter(isFile).map((field) => {
      const described = kindOf(field).describe(field);
      return {
        resource: name,
        field: field.name,
        isPrivate: described.private === true,
        ...(described.accept === "any" && { isAttachment: true as const }),
      };
    }),
  );
}

/** Whether files of a field are only downloaded: `accept: any`. */
export function attachmentFields(root: string): (field: FieldOfFile) => boolean {
  const nameOf = ({ resource, field }: FieldOfFile) => `${resource}/${field}`;
  const names = new Set(
    fileFields(root)
      .filter(({ isAttachment }) => isAttachment)
      .map(nameOf),
  );
  return (field) => names.has(nameOf(field));
}

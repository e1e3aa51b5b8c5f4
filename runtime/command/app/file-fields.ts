import type { FieldOfFile, FieldPrivacy } from "../../uploads/index.js";
import { describedResources } from "./generated.js";

export function fileFields(root: string): readonly FieldPrivacy[] {
  return describedResources(root).flatMap(({ name: resource, fields }) =>
    fields
      .filter(({ type }) => type === "image" || type === "file")
      .map(({ name: field, private: isPrivate = false, accept }) => ({
        ...{ resource, field, isPrivate },
        ...(accept === "any" && { isAttachment: true as const }),
      })),
  );
}

/** Returns whether files of a field are always served as downloads: `accept: any`. */
export function attachmentFields(root: string): (field: FieldOfFile) => boolean {
  const nameOf = ({ resource, field }: FieldOfFile) => `${resource}/${field}`;
  const names = new Set(
    fileFields(root)
      .filter(({ isAttachment }) => isAttachment)
      .map(nameOf),
  );
  return (field) => names.has(nameOf(field));
}

import { type Field, isFile, kindOf } from "../kind/kinds.js";
import type { Resource } from "../model/model.js";
import { print } from "../text/layout.js";
import { type Literal, literal, property, tallObject } from "../text/typescript.js";

/** The part of `routes.ts` about fields that take files; nothing where there are none. */
export function uploadFields(
  resource: Resource,
): readonly { readonly path: string; readonly variable: string; readonly value: string }[] {
  if (!takesFiles(resource)) return [];
  return [
    {
      path: `/api/_service/uploads/${resource.name}`,
      variable: uploadsName(resource),
      value: print(uploads(resource), { indent: 0, reserved: 1 }),
    },
  ];
}

/** `productUploads` */
export function uploadsName({ variable }: Resource): string {
  return `${variable}Uploads`;
}

/** True when a file can be uploaded to one of the resource's fields. */
export function takesFiles({ fields }: Resource): boolean {
  return fields.some(isFile);
}

function writeRule({ access: { write } }: Field): Record<string, Literal> {
  return write === "signed-in" ? {} : { write };
}

/** What is taken, and how it is processed. */
function fileRule(field: Field): Record<string, Literal> {
  // What screens show beside a picture is no matter of uploads.
  const { alt: _, private: isPrivate, ...rule } = kindOf(field).describe(field);
  return { ...rule, ...(isPrivate === true && { isPrivate }) };
}

function uploads({ name, type, collection, fields }: Resource) {
  return tallObject([
    property("resource", literal(name)),
    property("type", literal(type)),
    property("access", `${collection}.access`),
    property(
      "fields",
      tallObject(
        fields
          .filter(isFile)
          .map((field) =>
            property(
              field.name,
              literal({ kind: field.kind, ...fileRule(field), ...writeRule(field) }),
            ),
          ),
      ),
    ),
  ]);
}

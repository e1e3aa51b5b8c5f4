import type { Field, Resource } from "../model/model.js";
import { print } from "../text/layout.js";
import { type Literal, literal, property, tallObject } from "../text/typescript.js";

/** What `routes.ts` says of the fields that take files; nothing where there are none. */
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
  return fields.some((field) => uploadField(field) !== null);
}

function uploads({ name, type, access, fields }: Resource) {
  return tallObject([
    property("resource", literal(name)),
    property("type", literal(type)),
    property("access", literal({ create: access.create, update: access.update })),
    property(
      "fields",
      tallObject(
        fields.flatMap((field) => {
          const described = uploadField(field);
          return described === null ? [] : [property(field.name, literal(described))];
        }),
      ),
    ),
  ]);
}

function uploadField(field: Field): { readonly [key: string]: Literal } | null {
  if (field.kind === "image") return { kind: field.kind, profile: field.profile };
  if (field.kind === "file") return { kind: field.kind, accept: field.accept };
  return null;
}

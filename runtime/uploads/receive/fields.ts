import type { AccessRule } from "../../http/index.js";

/** The fields of one resource that take files; emitted, one a resource that has any. */
export interface UploadFields {
  /** The resource's name, as in its path: `products`. */
  readonly resource: string;
  /** Its type's name, which an upload's path may have instead: `Product`. */
  readonly type: string;
  /** Whoever may create or may update a record may upload to it. */
  readonly access: {
    readonly create: Exclude<AccessRule, "public">;
    readonly update: Exclude<AccessRule, "public">;
  };
  readonly fields: Readonly<Record<string, UploadField>>;
}

export type UploadField =
  /** Pictures, processed by the profile of that name. */
  | { readonly kind: "image"; readonly profile: string }
  /** Files, stored as they are; `accept` has media types such as `application/pdf` or `image/*`, null any. */
  | { readonly kind: "file"; readonly accept: readonly string[] | null };

import type { Rule } from "../../values/access-rule.js";

/** The file fields of one resource; generated for each resource that has any. */
export interface UploadFields {
  /** The resource's name, as in its path: `products`. */
  readonly resource: string;
  /** The name of the resource's type, which an upload's path accepts too: `Product`. */
  readonly type: string;
  /** Callers who may create or update a record may upload to it. */
  readonly access: {
    readonly create: Rule;
    readonly update: Rule;
  };
  readonly fields: Readonly<Record<string, UploadField>>;
}

/** The files that a field accepts. */
export type Accepted = readonly string[] | "any" | null;

/**
 * A field with pictures, processed by the named profile, or with files, stored unchanged. `accept` lists media types
 * such as `application/pdf` or `image/*`; null means every type accepted by default, and `any` every kind of file,
 * always downloaded.
 */
export type UploadField = {
  /** Which of those callers may write the field; left out if all may. */
  readonly write?: Rule;
  /** Left out if the files are public. */
  readonly isPrivate?: true;
} & (
  | { readonly kind: "image"; readonly profile: string }
  | { readonly kind: "file"; readonly accept: Accepted }
);

import type { Rule } from "../../values/access-rule.js";

/** The fields of one resource that take files; emitted, one for each resource that has any. */
export interface UploadFields {
  /** The resource's name, as in its path: `products`. */
  readonly resource: string;
  /** Its type's name, which may replace it in an upload's path: `Product`. */
  readonly type: string;
  /** Callers who may create or update a record may upload to it. */
  readonly access: {
    readonly create: Rule;
    readonly update: Rule;
  };
  readonly fields: Readonly<Record<string, UploadField>>;
}

/** What a file field accepts. */
export type Accepted = readonly string[] | "any" | null;

/**
 * Pictures are processed by the profile of that name. Files are stored unchanged; `accept` lists media types such as
 * `application/pdf` or `image/*`, null means every type that is stored by default, and `any` every kind of file, which
 * is only ever downloaded.
 */
export type UploadField = {
  /** Who, of those callers, may write the field; left out where all may. */
  readonly write?: Rule;
  /** Left out where everybody may fetch its files. */
  readonly isPrivate?: true;
} & (
  | { readonly kind: "image"; readonly profile: string }
  | { readonly kind: "file"; readonly accept: Accepted }
);

import type { IncomingMessage } from "node:http";
import type { Actor, Caller } from "../../own-code/index.js";
import type { UploadFields } from "./fields.js";
import type { PlacedObject } from "./place.js";

/** A field that takes files. */
export interface FieldOfFile {
  readonly resource: string;
  readonly field: string;
}

/** How the app decides about those who ask for a private file without a signature. */
export interface FileJudge {
  /** The caller of a request; null without a valid token. */
  identify(request: IncomingMessage): Promise<Caller | null>;
  /** Whether a record shows the file to the caller, hides it from the caller, or none holds it. */
  useOf(
    actor: Actor,
    file: FieldOfFile & { readonly key: string },
  ): Promise<"shown" | "hidden" | "unused">;
}

/** Which files are private, and who may fetch them. */
export interface PrivateFiles extends FileJudge {
  /** Whether the object is private at present. Where its field is gone, it stays what it was. */
  isPrivate(object: FieldOfFile & Pick<PlacedObject, "isPrivate">): boolean;
}

/** A field that takes files, and whether these are private. */
export interface FieldPrivacy extends FieldOfFile {
  readonly isPrivate: boolean;
}

/** All fields that take files. */
export function privacyOf(resources: readonly UploadFields[]): readonly FieldPrivacy[] {
  return resources.flatMap(({ resource, fields }) =>
    Object.entries(fields).map(([field, { isPrivate = false }]) => ({
      resource,
      field,
      isPrivate,
    })),
  );
}

export function privateFilesOf(resources: readonly UploadFields[], judge: FileJudge): PrivateFiles {
  const byField = new Map(
    privacyOf(resources).map(({ isPrivate, ...field }) => [nameOf(field), isPrivate]),
  );
  return {
    ...judge,
    isPrivate: (object) => byField.get(nameOf(object)) ?? object.isPrivate,
  };
}

function nameOf({ resource, field }: FieldOfFile): string {
  return `${resource}/${field}`;
}

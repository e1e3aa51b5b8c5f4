import type { GateCall } from "../../http/index.js";
import type { Actor, Caller } from "../../own-code/index.js";
import type { UploadField, UploadFields } from "./fields.js";
import type { PlacedObject } from "./place.js";

export interface FieldOfFile {
  readonly resource: string;
  readonly field: string;
}

/** The app's decisions about unsigned requests for private files. */
export interface FileJudge {
  /** The caller of a request; null without a valid token. */
  identify(call: GateCall): Promise<Caller | null>;
  /** Whether a record shows the file to the caller, a record hides it, or no record uses it. */
  useOf(
    actor: Actor,
    file: FieldOfFile & { readonly key: string },
  ): Promise<"shown" | "hidden" | "unused">;
}

/** Decides which files are private, who may download them, and which are always downloaded. */
export interface PrivateFiles extends FileJudge {
  /** Whether the object is private now. If its field no longer exists, its privacy stays the same. */
  isPrivate(object: FieldOfFile & Pick<PlacedObject, "isPrivate">): boolean;
  /** Whether the field accepts every kind of file, so that its files are attachments. */
  isAttachment(field: FieldOfFile): boolean;
}

/** A file field, and how its files are served. */
export interface FieldPrivacy extends FieldOfFile {
  readonly isPrivate: boolean;
  /** Left out if browsers may show files inline. */
  readonly isAttachment?: true;
}

/** The file fields of all resources, and how their files are served. */
export function privacyOf(resources: readonly UploadFields[]): readonly FieldPrivacy[] {
  return resources.flatMap(({ resource, fields }) =>
    Object.entries(fields).map(([field, takes]) => ({
      resource,
      field,
      isPrivate: takes.isPrivate ?? false,
      ...(takesAnything(takes) && { isAttachment: true }),
    })),
  );
}

export function privateFilesOf(resources: readonly UploadFields[], judge: FileJudge): PrivateFiles {
  const byField = new Map(privacyOf(resources).map((field) => [nameOf(field), field]));
  return {
    ...judge,
    isPrivate: (object) => byField.get(nameOf(object))?.isPrivate ?? object.isPrivate,
    isAttachment: (field) => byField.get(nameOf(field))?.isAttachment ?? false,
  };
}

/** Whether every kind of file is stored: `accept: any`. */
export function takesAnything(takes: UploadField): boolean {
  return takes.kind === "file" && takes.accept === "any";
}

function nameOf({ resource, field }: FieldOfFile): string {
  return `${resource}/${field}`;
}

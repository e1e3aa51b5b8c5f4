import { refuse } from "../../errors/index.js";
import { acceptsType } from "../inspect/accept.js";
import type { Inspected } from "../inspect/inspect.js";
import type { UploadField } from "../objects/fields.js";

/** An upload that is being received. */
export interface Arrival {
  readonly resource: string;
  readonly field: string;
  /** The file name from the client. */
  readonly name: string;
  readonly accountId: string;
  readonly isPrivate: boolean;
  readonly inspected: Inspected;
  /** The digest of the bytes, if `hasDigest` must recognize the file. */
  readonly digest?: Uint8Array;
}

/** 422 unless the field accepts a file with this detected type and name. */
export function refuseUnlessTaken(takes: UploadField, mime: string, name: string): void {
  if (takes.kind === "image") {
    if (!mime.startsWith("image/")) refuseKind(mime);
    return;
  }
  const { accept } = takes;
  if (accept !== "any" && !acceptsType(accept, mime, name)) refuseKind(mime);
}

/** 422: the field accepts files of another kind. */
export function refuseKind(mime: string): never {
  return refuse("INVALID", { error: `This field does not accept ${mime}` });
}

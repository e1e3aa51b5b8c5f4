import type { Config } from "../../config/index.js";
import type { ResourceDefinition, ResourceRoute } from "../../resource/index.js";
import type { UploadFields } from "../../uploads/at-start.js";
import { StartRefused } from "./start.js";

/** What is emitted for a resource. */
export interface GeneratedResource extends ResourceDefinition {
  readonly routes: readonly ResourceRoute[];
  /** Its fields that take files; left out where there are none. */
  readonly uploads?: UploadFields;
}

/** Whether a request can store a file: for a field, or as the picture of an account. */
export function canStore({ auth }: Config, fields: readonly UploadFields[]): boolean {
  return auth.enabled || fields.length > 0;
}

export function refuseOldCode(): never {
  throw new StartRefused({
    message: "generated/ was written by an older release",
    hint: "run: npx service generate",
  });
}

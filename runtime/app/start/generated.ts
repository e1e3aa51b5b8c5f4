import type { Config } from "../../config/index.js";
import type { UploadFields } from "../../uploads/at-start.js";
import { StartRefused } from "./start.js";

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

import type { Config } from "../../config/index.js";
import { StartRefused } from "../../errors/index.js";
import type { ResourceDefinition, ResourceRoute } from "../../resource/index.js";
import type { UploadFields } from "../../uploads/at-start.js";
import type { AccountDeletion } from "./account-records.js";

/** The arguments of the generated `app.ts`. */
export interface Generated {
  /** `import.meta.url` of `generated/app.ts`; the app's folder is above it. */
  readonly location: string;
  readonly resources: readonly GeneratedResource[];
  /** The response of `GET /api/_service/resources`, in order. Missing in code from an older release. */
  readonly descriptors?: readonly object[];
  /** The app's migrations at the time of generation. Missing in code from an older release. */
  readonly migrations?: readonly string[];
  /** The effect of deleting an account on records; omitted if none has a required link to one. */
  readonly accounts?: AccountDeletion;
}

/** The emitted parts of a resource. */
export interface GeneratedResource extends ResourceDefinition {
  readonly routes: readonly ResourceRoute[];
  /** The resource's file fields; omitted if there are none. */
  readonly uploads?: UploadFields;
}

/** Whether a request can store a file: for a field, or as an account's picture. */
export function canStore({ auth }: Config, fields: readonly UploadFields[]): boolean {
  return auth.enabled || fields.length > 0;
}

export function refuseOldCode(): never {
  throw new StartRefused({
    message: "generated/ was written by an older release",
    hint: "run: npx service generate",
  });
}

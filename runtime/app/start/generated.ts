import type { Config } from "../../config/index.js";
import { StartRefused } from "../../errors/index.js";
import type { ResourceDefinition, ResourceRoute } from "../../resource/index.js";
import type { UploadFields } from "../../uploads/at-start.js";
import type { AccountDeletion } from "./account-records.js";

/** What the generated `app.ts` passes in. */
export interface Generated {
  /** `import.meta.url` of `generated/app.ts`; the app's folder is above it. */
  readonly location: string;
  readonly resources: readonly GeneratedResource[];
  /** What `GET /api/_service/resources` answers, in this order. Missing in code that an older release generated. */
  readonly descriptors?: readonly object[];
  /** The names of the app's migrations that the code was made with. Missing in code that an older release generated. */
  readonly migrations?: readonly string[];
  /** What deleting an account means for records; left out where none is required to belong to one. */
  readonly accounts?: AccountDeletion;
}

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

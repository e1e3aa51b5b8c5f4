import type { Services } from "../../own-code/index.js";
import type { UploadFields } from "../objects/fields.js";
import { privacyOf } from "../objects/private-files.js";
import { newSigner } from "./text.js";

/**
 * Creates the function that signs URLs of private files in records; in an app without private files, it changes
 * nothing.
 */
export function fileSigner(
  services: Pick<Services, "config" | "clock">,
  resources: readonly UploadFields[],
): Services["signFiles"] {
  return privacyOf(resources).some(({ isPrivate }) => isPrivate)
    ? newSigner(services)
    : (json) => json;
}

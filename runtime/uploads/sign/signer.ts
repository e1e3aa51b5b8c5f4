import type { Services } from "../../own-code/index.js";
import type { UploadFields } from "../objects/fields.js";
import { privacyOf } from "../objects/private-files.js";
import { newSigner } from "./text.js";

/** Creates the signer of private files' URLs in records; in an app without private files, records stay unchanged. */
export function fileSigner(
  services: Pick<Services, "config" | "clock">,
  resources: readonly UploadFields[],
): Services["signFiles"] {
  return privacyOf(resources).some(({ isPrivate }) => isPrivate)
    ? newSigner(services)
    : (json) => json;
}

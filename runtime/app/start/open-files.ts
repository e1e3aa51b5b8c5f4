import type { Gate } from "../../http/index.js";
import type { ServerServices } from "../../own-code/index.js";
import { fileUses, type ResourceDefinition } from "../../resource/index.js";
import { openUploads, type UploadFields, type Uploads } from "../../uploads/at-start.js";

/** Opens the storage. The records that contain a private file determine who may fetch it without a signature. */
export function openFiles(
  services: ServerServices,
  fields: readonly UploadFields[],
  {
    definitions,
    gate,
  }: { readonly definitions: readonly ResourceDefinition[]; readonly gate: Gate },
): Uploads {
  return openUploads(services, fields, {
    identify: (call) => gate.identify(call),
    useOf: fileUses(definitions),
  });
}

import { profileOf } from "../image/process.js";
import type { StorageServices } from "../objects/services.js";
import { type FileStores, withFileStores } from "../storage/open.js";
import { type OnProgress, type Reprocessed, reprocessUploads } from "./reprocess.js";

export interface ImageField {
  readonly resource: string;
  readonly field: string;
  readonly profile: string;
}

/**
 * Reprocesses the pictures of these fields outside a server. Every profile must be configured.
 *
 * @throws {StorageError} if the storage fails.
 */
export function reprocessNow(
  services: Omit<StorageServices, keyof FileStores>,
  fields: readonly ImageField[],
  onProgress: OnProgress,
): Promise<Reprocessed> {
  const { config } = services;
  const profiled = fields.map((field) => ({ ...field, profile: profileOf(config, field.profile) }));
  return withFileStores(config.uploads, (stores) =>
    reprocessUploads({ ...services, ...stores }, profiled, onProgress),
  );
}

export { renewAddresses } from "./archive/addresses.js";
export {
  type ArchivedObject,
  openArchivedObject,
  storedObjects,
  writeArchivedObject,
} from "./archive/objects.js";
export { picturesWaiting } from "./image/queue.js";
export { countMisplaced } from "./move/store.js";
export type { FileDetails } from "./objects/details.js";
export type { UploadFields } from "./objects/fields.js";
export { hasDigest } from "./objects/key.js";
export type { FieldOfFile, FieldPrivacy } from "./objects/private-files.js";
export { announceObjects } from "./objects/store.js";
export { type KnownTarget, openUploads, type Uploads } from "./open.js";
export { pruneNow } from "./prune/now.js";
export type { Pruned } from "./prune/prune.js";
export { removeObjectsNow } from "./prune/remove-now.js";
export { UnreadableTable } from "./prune/uses.js";
export { type ImageField, reprocessNow } from "./reprocess/now.js";
export type { Reprocessed } from "./reprocess/reprocess.js";
export { fileSigner } from "./sign/signer.js";
export { isKey } from "./storage/key.js";
export { withFileStores } from "./storage/open.js";
export { type Storage, StorageError } from "./storage/storage.js";

// What a server needs at startup, without the modules that receive files, process pictures and prune.

export { picturesWaiting } from "./image/queue.js";
export type { UploadFields } from "./objects/fields.js";
export { openUploads, type Uploads } from "./open.js";
export { fileSigner } from "./sign/signer.js";
export { StorageError } from "./storage/storage.js";

// What a server needs at its start, without what receives files, makes pictures and tidies up.

export { picturesWaiting } from "./image/queue.js";
export type { UploadFields } from "./objects/fields.js";
export { openUploads, type Uploads } from "./open.js";
export { fileSigner } from "./sign/signer.js";
export { StorageError } from "./storage/storage.js";

// What `service-runtime/uploads` exports for your own code.

export type { FileDetails } from "./objects/details.js";

// Internal: for generated code alone; every release may change it.

export type { UploadFields } from "./objects/fields.js";

// What `service-runtime/uploads` exports for app code.

export type { FileDetails } from "./objects/details.js";

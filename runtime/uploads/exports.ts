// What `service-runtime/uploads` exports for your own code.

export type { FileDetails } from "./objects/details.js";

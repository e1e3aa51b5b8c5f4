// The exports of `service-runtime/uploads` for app code.

export type { FileDetails } from "./objects/details.js";

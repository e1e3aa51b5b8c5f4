// What `generate` reads of the settings: to build the shape of all others takes 70 ms.
export { readClientFolder, readProfileNames } from "./read/lenient.js";

// The settings that `generate` reads, separately: building the schema of all others takes 70 ms.
export { readClientFolder, readProfileNames } from "./read/lenient.js";

export { acceptedKeys, currentKey, type Key, type Secrets } from "./keys.js";
export { keyIdOf, type Opened, open, seal } from "./seal.js";

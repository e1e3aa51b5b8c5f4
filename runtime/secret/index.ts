export { keyIdOf, type Opened, open, seal } from "./encryption.js";
export { acceptedKeys, currentKey, type Key, type Secrets } from "./keys.js";

export { type Decrypted, decrypt, encrypt, keyIdOf } from "./encryption.js";
export { acceptedKeys, currentKey, type Key, type Secrets } from "./keys.js";
export { openToken, sealToken } from "./tokens.js";

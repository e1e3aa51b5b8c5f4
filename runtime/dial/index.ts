export { AddressRefused, type DialParts, dial } from "./dial.js";
export { addressesOf, problemOf, type Resolve } from "./resolve.js";

import { createRequire } from "node:module";

// Loads the driver before anything else does. It asks `navigator` whether it runs at Cloudflare and, where there is none
// (Node.js 20), what a `Response` is like: for that Node.js loads all of `fetch`, 20 ms and 4 MB of every start.
const isMissing = !("navigator" in globalThis);
if (isMissing) {
  const value = { userAgent: `Node.js/${process.versions.node}` };
  Object.defineProperty(globalThis, "navigator", { value, configurable: true });
}
createRequire(import.meta.url)("pg");
if (isMissing) Reflect.deleteProperty(globalThis, "navigator");

import { createRequire } from "node:module";

// Loads the driver before anything else does. It uses `navigator` to detect Cloudflare and, without one (Node.js 20),
// inspects a `Response`: for that Node.js loads all of `fetch`, 20 ms and 4 MB of every start.
const isMissing = !("navigator" in globalThis);
if (isMissing) {
  const value = { userAgent: `Node.js/${process.versions.node}` };
  Object.defineProperty(globalThis, "navigator", { value, configurable: true });
}
createRequire(import.meta.url)("pg");
if (isMissing) Reflect.deleteProperty(globalThis, "navigator");

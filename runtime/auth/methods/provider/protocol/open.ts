/**
 * Loads what speaks with providers, and the libraries for it, when the first sign-in begins: apps without providers never
 * need them.
 */
export async function openProtocol() {
  const [exchange, metadata, idToken, keys] = await Promise.all([
    import("./exchange.js"),
    import("./metadata.js"),
    import("./id-token.js"),
    import("./keys.js"),
  ]);
  return { ...exchange, ...metadata, ...idToken, ...keys };
}

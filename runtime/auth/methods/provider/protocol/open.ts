/** Loads the protocol and its libraries when the first sign-in begins: apps without providers never need them. */
export async function openProtocol() {
  const [exchanges, metadata, idToken, logoutToken, keys] = await Promise.all([
    import("./exchange.js"),
    import("./metadata.js"),
    import("./id-token.js"),
    import("./logout-token.js"),
    import("./keys.js"),
  ]);
  const { authorizationUrl, exchange } = exchanges;
  const { askMetadata, recentMetadata } = metadata;
  const { judgeIdToken, maxSkew } = idToken;
  const { judgeLogoutToken, providersOfToken } = logoutToken;
  const { keysOf } = keys;
  return {
    ...{ askMetadata, authorizationUrl, exchange, judgeIdToken, judgeLogoutToken, keysOf, maxSkew },
    ...{ providersOfToken, recentMetadata },
  };
}
